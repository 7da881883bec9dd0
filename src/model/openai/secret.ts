/**
 * The key of an endpoint: taken from the environment alone, and kept out of everything that leaves this room. Servers and
 * proxies repeat it, in errors and in answers, as it is or escaped; whatever comes from them is searched for it here.
 */
import { AuditError } from '../../errors.ts';

/** What the client is given where an endpoint on this machine needs no key. */
const NO_KEY = 'none';
const HIDDEN = '[key]';
/** So much of what a server says of a fault is reported. */
const MOST_CHARACTERS = 400;
/** A shorter key may be a word of any text. */
const LEAST_LENGTH = 8;
/** A key of this length is hidden whatever its letters are; a shorter one only where it does not look like a word. */
const CERTAIN_LENGTH = 16;
/** A part of a Base64 text that is shorter than this may stand in any other. */
const LEAST_ENCODED = 8;
/** Escapes of escapes: text in JSON in JSON, addresses in addresses. */
const ESCAPES = '\\\\{0,8}';
/** With which escapes begin, and `-` and `_` instead of + and / in Base64 for addresses. */
const MARKS = '\\\\%=&_-';
/** Where a long line is broken: in mail, in Base64, in pages. */
const BREAK = '(?:=?(?:[\\s\\u00ad\\u200b]|\\\\{1,8}[rnt])){0,4}';

const NAMED: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
  _: 'lowbar',
  '.': 'period',
  ':': 'colon',
};

function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A character as it is, or as JSON, JavaScript, an address or HTML escape it. Each way begins differently, so matching is linear. */
function anyEscape(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  const short = hex.padStart(2, '0');
  const ways = [
    `${ESCAPES}${literal(character)}`,
    `\\\\{1,8}(?:u${hex.padStart(4, '0')}|u\\{0*${hex}\\}|u${hex.padStart(8, '0')}|x${short}|${code.toString(8).padStart(3, '0')})`,
    [...Buffer.from(character)].map((byte) => `[%=](?:25)*${byte.toString(16).padStart(2, '0')}`).join(''),
    `%(?:25)*u${hex.padStart(4, '0')}`,
    `&(?:amp;)*#(?:0*${code}|x0*${hex})(?:;|(?![0-9a-f]))`,
  ];
  const name = NAMED[character];
  if (name !== undefined) ways.push(`&(?:amp;)*${name};`);
  // In Base64 for addresses.
  if (character === '+') ways.push('-');
  if (character === '/') ways.push('_');
  return `(?:${ways.join('|')})`;
}

/** What of the Base64 of a text that holds the key is the same whatever stands around it: one form for each place of three. */
function encodedForms(key: string): string[] {
  const bytes = Buffer.from(key);
  return [0, 1, 2]
    .map((before) => {
      const whole = Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .replace(/=+$/, '');
      // Characters that hold bits of what stands before or behind.
      const first = before === 0 ? 0 : before + 1;
      const last = Math.floor(((before + bytes.length) * 8) / 6);
      return whole.slice(first, last);
    })
    .filter((form) => form.length >= LEAST_ENCODED);
}

/** A word, or a word with dashes: what people write where no key is needed. */
function looksLikeAWord(key: string): boolean {
  return /^[a-z]+(?:[-_ ][a-z]+)*$/i.test(key) && (key === key.toLowerCase() || key === key.toUpperCase());
}

function isTrivial(key: string): boolean {
  return key.length < LEAST_LENGTH || (key.length < CERTAIN_LENGTH && looksLikeAWord(key));
}

function patternOf(key: string): RegExp {
  const forms = [key, Buffer.from(key).toString('hex'), ...encodedForms(key)];
  const written = forms.map((form) => Array.from(form, anyEscape).join(BREAK));
  // What cannot begin it is passed over at once: texts are long, and all of them are searched.
  const starts = forms.map((form) => {
    const [first, second] = Array.from(form);
    return `${literal(first!)}[${literal(second!)}${MARKS}\\s\\u00ad\\u200b]`;
  });
  return new RegExp(`(?=[${MARKS}]|${starts.join('|')})(?:${written.join('|')})`, 'gi');
}

/** A key that may be any word is hidden only behind the name of the scheme. */
function headerPattern(key: string): RegExp {
  return new RegExp(`\\b(bearer(?:\\s|%20|\\+){1,8})${Array.from(key, anyEscape).join('')}(?![\\w-])`, 'gi');
}

/** The key cannot be read from it by accident: it has no enumerable field, and prints as nothing. */
export class Secret {
  readonly #key: string | null;
  readonly #patterns: readonly RegExp[];

  /** `others` are hidden too, and never sent by this project itself. */
  constructor(key: string | null, others: readonly string[] = []) {
    this.#key = key;
    const keys = [...new Set([...(key === null ? [] : [key]), ...others])].filter((own) => own !== '');
    // The longest first: one may hold another.
    keys.sort((a, b) => b.length - a.length);
    this.#patterns = keys.map((own) => (isTrivial(own) ? headerPattern(own) : patternOf(own)));
  }

  /** For the client, and nobody else. */
  reveal(): string {
    return this.#key ?? NO_KEY;
  }

  /** The text without the key, in whatever form it stands there. */
  hide(text: string): string {
    return this.#patterns.reduce(
      (left, pattern) =>
        left.replace(pattern, (_, scheme: unknown) => `${typeof scheme === 'string' ? scheme : ''}${HIDDEN}`),
      text,
    );
  }

  /** The same of all texts of a value, the names of its fields included. */
  hideIn<T>(value: T): T {
    if (this.#patterns.length === 0) return value;
    return this.#walk(value) as T;
  }

  #walk(value: unknown): unknown {
    if (typeof value === 'string') return this.hide(value);
    if (Array.isArray(value)) return value.map((own) => this.#walk(own));
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [this.hide(key), this.#walk(own)]));
  }

  /** A text without the key, cut to a length that a message can have. */
  clean(text: string): string {
    const without = this.hide(text);
    return without.length > MOST_CHARACTERS ? `${without.slice(0, MOST_CHARACTERS)}…` : without;
  }
}

/** Values of headers that the client takes from the environment and sends: `Name: value`, one a line. */
function customHeaders(text: string | undefined): string[] {
  return (text ?? '').split('\n').flatMap((line) => {
    const at = line.indexOf(':');
    const value = at === -1 ? '' : line.slice(at + 1).trim();
    return [value, value.replace(/^\w+\s+/, '')].filter((own) => !isTrivial(own));
  });
}

/** Throws `bad_argument` where there is no key, unless the endpoint is on this machine. */
export function readSecret(env: Readonly<Record<string, string | undefined>>, baseUrl: string): Secret {
  const key = env.OPENAI_API_KEY?.trim();
  const others = customHeaders(env.OPENAI_CUSTOM_HEADERS);
  if (key) return new Secret(key, others);
  if (isLoopback(baseUrl)) return new Secret(null, others);
  throw new AuditError(
    'bad_argument',
    `${baseUrl} needs a key; set the environment variable OPENAI_API_KEY (it is read from nowhere else)`,
    { key: 'OPENAI_API_KEY' },
  );
}
