/** What may go wrong in one attempt at a request, sorted by what helps: another attempt, another request, or a person. */
import { AuditError, type ErrorData } from '../../errors.ts';
import type { Secret } from './secret.ts';
import { asJson, faultIn, isFields, type SaidFault, wordsOfText } from './words.ts';

/**
 * `endpoint`: it fails, whatever it is asked. `request`: it refuses this one, or its answer to it cannot be used. `account`:
 * it refuses the key, the model, or to work without money, and would refuse all others too.
 */
type Blame = 'endpoint' | 'request' | 'account';

type FaultFields = Omit<AttemptFault, keyof Error | 'with' | 'toError'>;

export class AttemptFault extends Error {
  readonly blame: Blame = 'endpoint';
  /** Another attempt may be answered. */
  readonly mayPass: boolean = true;
  readonly status: number | null = null;
  /** What the server asks to wait, in ms. */
  readonly retryAfterMs: number | null = null;
  /** The parameter that the server names as the fault. */
  readonly param: string | null = null;
  /** The endpoint answered; it is not down. */
  readonly answered: boolean = false;
  /** One request is refused, but it may be that all are: many of them one after the other end the run. */
  readonly perhapsAll: boolean = false;
  /** The server is loading its model, and says so. */
  readonly loading: boolean = false;

  constructor(message: string, fields: Partial<FaultFields> = {}) {
    super(message);
    Object.assign(this, fields);
  }

  /** The same with another message, or other fields. */
  with(message: string, fields: Partial<FaultFields> = {}): AttemptFault {
    return new AttemptFault(message, { ...this, ...fields });
  }

  toError(attempts: number): AuditError {
    const { blame, status, answered, perhapsAll } = this;
    const data: ErrorData = {
      blame,
      attempts,
      status,
      ...(answered ? { answered } : {}),
      ...(perhapsAll ? { perhapsAll } : {}),
    };
    if (blame !== 'endpoint') return new AuditError('endpoint_refused', this.message, data);
    const times = attempts === 1 ? 'once' : `${attempts} times`;
    return new AuditError('endpoint_failed', `${this.message} (tried ${times})`, data);
  }
}

/** An answer that came, and is none of the kind that was asked for. Another attempt would bring the same. */
export function noAnswer(message: string): AttemptFault {
  return new AttemptFault(message, { blame: 'request', mayPass: false, answered: true });
}

/**
 * Statuses of a moment: time-out, conflict of locks, locked, what it depends on failed, too early, too many requests; and, as
 * servers and proxies made them up, no room at present and a connection that was closed.
 */
const PASSING = new Set([408, 409, 423, 424, 425, 429, 460, 498, 499]);
const ACCOUNT = new Set([401, 402, 404]);
/** Of what no wait mends: the code, or what is said where no wait is asked for. */
const OUT_OF_MONEY =
  /insufficient[_ ](?:user[_ ])?(?:quota|balance|funds|credits?)|exceeded_current_quota|credit balance|out of credits?|spending limit|arrearage/i;
const OUT_OF_QUOTA = /billing/i;
const MAY_BE_MONEY = new Set([400, 403, 429]);
/** Of an input that a filter does not let through. */
const FLAGGED =
  /moderat|flagged|content[ _-]?(?:filter|polic|management|safety)|safety|responsible ?ai|guardrail|inappropriate|sensitive|prohibited|harmful|violat/i;
const LOADING =
  /\b(?:loading|loaded|warming|starting|initiali[sz]ing|not (?:yet )?ready|cold start|downloading|spinning up|booting)\b/i;

/** Of a server that has the status of a rate limit, or the like, for it. */
const MODEL_LOADING =
  /\bmodel\b[^.]{0,60}\b(?:loading|warming up|not (?:yet )?ready|starting|being (?:loaded|downloaded))\b|model_?not_?ready/i;
const MAY_BE_LOADING = new Set([409, 424, 425, 429]);

/** How long servers say in words that is to be waited. */
const WAIT_IN_WORDS =
  /\b(?:try again|retry|wait)\b[^.]{0,40}?\b((?:\d+(?:\.\d+)? ?(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b,? ?)+|(?:\d+(?:\.\d+)?(?:ms|[hms]))+)/i;
const WAIT_PART = /(\d+(?:\.\d+)?) ?(ms|milli|s|m|h)/gi;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, milli: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MOST_SEARCHED = 4000;

function waitInWords(words: string): number | null {
  const said = WAIT_IN_WORDS.exec(words.slice(0, MOST_SEARCHED))?.[1];
  if (said === undefined) return null;
  const parts = [...said.matchAll(WAIT_PART)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!.toLowerCase()]!, 0);
}

/** As Google has it among the details of a fault. */
function waitInDetails(body: unknown): number | null {
  const said = /"retryDelay":"(\d+(?:\.\d+)?)s"/.exec(asJson(body).slice(0, 2 ** 16));
  return said ? Number(said[1]) * 1000 : null;
}

/** In ms: `retry-after-ms`, or `retry-after` as seconds or a date. Null for what is neither. */
export function readRetryAfter(headers: Headers | undefined, now: number): number | null {
  const ms = headers?.get('retry-after-ms');
  if (ms && Number.isFinite(Number(ms))) return Math.max(0, Number(ms));
  const text = headers?.get('retry-after');
  if (!text) return null;
  const wait = Number.isFinite(Number(text)) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

/** What a status says, with the server's words. `body` is what the answer held: JSON, or a text. */
export function ofStatus(
  status: number,
  body: unknown,
  headers: Headers | undefined,
  now: number,
): AttemptFault {
  const said = faultIn(body);
  const words = said?.words ?? (typeof body === 'string' ? wordsOfText(body) : '');
  const whole = `${words} ${said ? `${said.fields.code} ${said.fields.type}` : ''}`;
  const message = `the endpoint answered ${status}: ${words || 'without a word of why'}`;
  const estimate = isFields(body) ? Number(body.estimated_time) * 1000 : Number.NaN;
  const loading =
    (status === 503 && (LOADING.test(whole) || estimate >= 0)) ||
    (MAY_BE_LOADING.has(status) && MODEL_LOADING.test(whole.slice(0, MOST_SEARCHED)));
  const param = typeof said?.fields.param === 'string' ? said.fields.param : null;
  const wait =
    readRetryAfter(headers, now) ?? (status === 429 ? (waitInDetails(body) ?? waitInWords(words)) : null);
  const retryAfterMs = wait ?? (loading && estimate >= 0 ? estimate : null);
  const head = { status, param, retryAfterMs, loading };
  const flagged = FLAGGED.test(whole);
  const noMoney =
    (MAY_BE_MONEY.has(status) && !flagged && OUT_OF_MONEY.test(whole)) ||
    (status === 429 && retryAfterMs === null && OUT_OF_QUOTA.test(whole));
  if (noMoney) {
    return new AttemptFault(message, { ...head, blame: 'account', mayPass: false });
  }
  if (PASSING.has(status) || status >= 500) return new AttemptFault(message, head);
  if (ACCOUNT.has(status)) return new AttemptFault(message, { ...head, blame: 'account', mayPass: false });
  const perhapsAll = status === 403 && !flagged;
  return new AttemptFault(message, { ...head, blame: 'request', mayPass: false, perhapsAll });
}

/** A fault that came under the status of an answer. */
export function ofSaid({ words, status, fields }: SaidFault, raw: unknown, now: number): AttemptFault {
  if (status !== null) {
    const fault = ofStatus(status, raw, undefined, now);
    return fault.with(`the endpoint answered with a fault (${status}): ${words}`);
  }
  const of = `${fields.code} ${fields.type} ${words}`;
  const ofRequest = /invalid_request|invalid_argument|bad_request|content_filter|context_length/i.test(of);
  const message = `the endpoint answered with a fault: ${words}`;
  return new AttemptFault(message, ofRequest ? { blame: 'request', mayPass: false } : {});
}

/** Why a connection broke lies deep inside: "fetch failed", and below it ECONNREFUSED. */
function deepest(error: Error): string {
  for (let at: unknown = error, depth = 0; depth < 8; depth += 1) {
    const cause: unknown = (at as Error).cause;
    if (!(cause instanceof Error)) {
      const { code, message } = at as { code?: unknown; message: string };
      return typeof code === 'string' ? `${message} (${code})` : message;
    }
    at = cause;
  }
  return error.message;
}

/** Of a connection that could not be made, or was cut before an answer began. */
export function unreachable(thrown: unknown, { origin, pathname }: URL): AttemptFault {
  return new AttemptFault(
    `the endpoint cannot be reached at ${origin}${pathname}: ${deepest(thrown instanceof Error ? thrown : new Error(String(thrown)))}`,
  );
}

/** Of a connection that was cut while an answer came. */
export function cutOff(thrown: unknown): AttemptFault {
  return new AttemptFault(
    `the connection was cut: ${deepest(thrown instanceof Error ? thrown : new Error(String(thrown)))}`,
  );
}

/** A fault as it may be reported. What is none of the endpoint's passes through. */
export function toFault(thrown: unknown, secret: Secret): unknown {
  return thrown instanceof AttemptFault ? thrown.with(secret.clean(thrown.message)) : thrown;
}
