/** The key of an endpoint: taken from the environment alone, and kept out of every text that leaves this room. */
import { AuditError } from '../../errors.ts';

/** What the client is given where an endpoint on this machine needs no key. */
const NO_KEY = 'none';
const HIDDEN = '[key]';
/** So much of what a server says of a fault is told. */
const MOST_CHARACTERS = 400;

function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** The key cannot be read from it by accident: it has no enumerable field, and prints as nothing. */
export class Secret {
  readonly #key: string | null;

  constructor(key: string | null) {
    this.#key = key;
  }

  /** For the client, and nobody else. */
  reveal(): string {
    return this.#key ?? NO_KEY;
  }

  /** A text without the key, cut to a length that a message can have. */
  clean(text: string): string {
    const without = this.#key === null ? text : text.replaceAll(this.#key, HIDDEN);
    return without.length > MOST_CHARACTERS ? `${without.slice(0, MOST_CHARACTERS)}…` : without;
  }
}

/** Throws `bad_argument` where there is no key, unless the endpoint is on this machine. */
export function readSecret(env: Readonly<Record<string, string | undefined>>, baseUrl: string): Secret {
  const key = env.OPENAI_API_KEY?.trim();
  if (key) return new Secret(key);
  if (isLoopback(baseUrl)) return new Secret(null);
  throw new AuditError(
    'bad_argument',
    `${baseUrl} needs a key; set the environment variable OPENAI_API_KEY (it is read from nowhere else)`,
    { key: 'OPENAI_API_KEY' },
  );
}
