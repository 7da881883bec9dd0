/**
 * What goes over the wire: one POST, and all that comes back, within limits that follow from what was asked. The client makes
 * the request and hands it to {@link Wire.fetch}; what came is taken with {@link Wire.received}, whatever its status was.
 */
import { AttemptFault, cutOff, noAnswer, unreachable } from './fault.ts';

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Why more did not come; null where all came. */
  readonly cut: AttemptFault | null;
}

/** Of one request. */
export interface WireLimits {
  /** Most bytes of the answer, as they are once they are unpacked. */
  readonly bytes: number;
  /** Ends before the connection does, with a line that says so. */
  readonly streamed: boolean;
}

const MIB = 2 ** 20;
/** Every answer may have so much: thoughts that are not counted, and what a gateway puts around it. */
const BASE_BYTES = 16 * MIB;
/** A token as a piece of a stream, with what stands around it in each. */
const BYTES_A_TOKEN = 4096;
const BYTES_A_LISTED_TOKEN = 512;
/** Entries of a vector, and their digits. */
const BYTES_A_VECTOR = 2 ** 16 * 24;
/** So much of what comes with a fault is read. */
const FAULT_BYTES = 2 ** 16;
const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What another host gets of a request: others, such as the key and those of the environment, tell who asks. */
const COMMON_HEADERS = new Set(['accept', 'content-type', 'user-agent']);
const WEB = new Set(['http:', 'https:']);

/** Most bytes of an answer to so much. */
export function bytesFor(
  sent: number,
  { tokens = 0, listed = 0, vectors = 0 }: { tokens?: number; listed?: number; vectors?: number },
): number {
  // What was sent may come back, each character escaped.
  return (
    BASE_BYTES +
    6 * sent +
    tokens * (BYTES_A_TOKEN + listed * BYTES_A_LISTED_TOKEN) +
    vectors * BYTES_A_VECTOR
  );
}

/** A stream's last line. It cannot stand inside a piece: line feeds are escaped there. */
const DONE = /(?:^|[\r\n])data:\s?\[DONE\]\s*$/;
const DONE_LENGTH = 64;

const big = (bytes: number) => (bytes < MIB ? `${bytes} bytes` : `${(bytes / MIB).toFixed(1)} MiB`);

function tooLarge(seen: number, limit: number, said: boolean): AttemptFault {
  return noAnswer(
    `the endpoint ${said ? 'announced' : 'sent'} ${big(seen)}${said ? '' : ' and more'}, and an answer to this request has at most ${big(limit)}`,
  );
}

/** Under which {@link Wire.fetch} finds the limits of a request among its options. */
const LIMITS = Symbol('limits');

/** For the client's `fetchOptions`. */
export function withLimits(limits: WireLimits): RequestInit {
  return { [LIMITS]: limits } as RequestInit;
}

/** Where the fetch of Node.js keeps what makes its connections. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/**
 * The connections of the process, without the time limits of their own (300 s to the head of an answer, 300 s between two
 * pieces of it): the limit of a request is the one that was asked for, whatever its length.
 */
const PATIENT: Dispatcher = {
  dispatch(options, handler) {
    const { [DISPATCHER]: own } = globalThis as unknown as { [DISPATCHER]: Dispatcher };
    return own.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  },
};

export class Wire {
  readonly #received = new WeakMap<Response, Received | AttemptFault>();
  readonly #allowRedirect: boolean;

  constructor(allowRedirect: boolean) {
    this.#allowRedirect = allowRedirect;
  }

  /** What came with a response of {@link Wire.fetch}. Throws AttemptFault for a connection that was not made. */
  received(response: Response): Received {
    const own = this.#received.get(response);
    if (own === undefined) throw new Error('a response of another fetch');
    if (own instanceof AttemptFault) throw own;
    return own;
  }

  /** For the client: gives an empty response, under which what really came is kept. Never rejects. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { [LIMITS]: limits, ...own } = init as RequestInit & { [LIMITS]: WireLimits };
    const carrier = new Response(null, { status: 204 });
    this.#received.set(carrier, await this.#exchange(String(input), own, limits));
    return carrier;
  };

  async #exchange(url: string, init: RequestInit, limits: WireLimits): Promise<Received | AttemptFault> {
    try {
      const response = await this.#follow(url, init);
      const { status, headers } = response;
      const body =
        status >= 200 && status < 300 ? await readAll(response, limits) : await readFault(response);
      return { status, headers, ...body };
    } catch (thrown) {
      return thrown instanceof AttemptFault ? thrown : unreachable(thrown, new URL(url));
    }
  }

  async #follow(url: string, init: RequestInit): Promise<Response> {
    const first = new URL(url);
    const headers = new Headers(init.headers);
    let at = first;
    for (let hops = 0; ; hops += 1) {
      const patient = { dispatcher: PATIENT } as RequestInit;
      const response = await fetch(at, { ...init, ...patient, headers, redirect: 'manual' });
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null) return response;
      await response.body?.cancel();
      const next = URL.canParse(location, at.href) ? new URL(location, at) : null;
      const isPlain = next !== null && WEB.has(next.protocol) && next.username === '' && next.password === '';
      if (!isPlain || hops === MOST_REDIRECTS || response.status === 303) {
        throw refused(
          `the endpoint answered ${response.status} with a redirect to ${location}, which cannot be followed`,
        );
      }
      if (!isSameHost(first, next)) {
        if (!this.#allowRedirect) {
          throw refused(
            `the endpoint redirects to ${next.origin}, where prompts and answers would go too; give that address as --base-url (baseUrl), or allow it with --allow-redirect (allowRedirect)`,
          );
        }
        for (const name of [...headers.keys()]) if (!COMMON_HEADERS.has(name)) headers.delete(name);
      }
      at = next;
    }
  }
}

function refused(message: string): AttemptFault {
  return new AttemptFault(message, { blame: 'request', mayPass: false, perhapsAll: true });
}

/** The same, or the same by https instead of http. */
function isSameHost(first: URL, next: URL): boolean {
  if (next.origin === first.origin) return true;
  const upgraded = first.protocol === 'http:' && next.protocol === 'https:';
  return upgraded && next.hostname === first.hostname && first.port === '' && next.port === '';
}

async function readFault(response: Response): Promise<Pick<Received, 'text' | 'cut'>> {
  const { text, cut } = await read(response, FAULT_BYTES, false);
  // What does not fit says no more of the fault.
  return { text, cut: cut?.answered ? null : cut };
}

function readAll(
  response: Response,
  { bytes, streamed }: WireLimits,
): Promise<Pick<Received, 'text' | 'cut'>> {
  const length = Number(response.headers.get('content-length'));
  if (length > bytes) {
    void response.body?.cancel().catch(() => undefined);
    return Promise.resolve({ text: '', cut: tooLarge(length, bytes, true) });
  }
  return read(response, bytes, streamed);
}

/** The text of a body of at most so many bytes; of a stream up to the line that ends it. */
async function read(
  { body }: Response,
  limit: number,
  streamed: boolean,
): Promise<Pick<Received, 'text' | 'cut'>> {
  if (body === null) return { text: '', cut: null };
  const reader = body.getReader();
  // A mark of the order of bytes in front is left out; a character may be cut between two pieces.
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let tail = '';
  let seen = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      seen += value.byteLength;
      if (seen > limit) {
        void reader.cancel().catch(() => undefined);
        return { text: parts.join(''), cut: tooLarge(seen, limit, false) };
      }
      const part = decoder.decode(value, { stream: true });
      parts.push(part);
      if (!streamed) continue;
      tail = `${tail}${part}`.slice(-DONE_LENGTH);
      if (!DONE.test(tail)) continue;
      void reader.cancel().catch(() => undefined);
      return { text: parts.join(''), cut: null };
    }
  } catch (thrown) {
    return { text: parts.join(''), cut: cutOff(thrown) };
  }
  parts.push(decoder.decode());
  return { text: parts.join(''), cut: null };
}
