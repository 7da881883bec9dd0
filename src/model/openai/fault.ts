/** What may go wrong in one attempt at a request, sorted by what helps: another attempt, another request, or a person. */
import { APIConnectionError, APIError } from 'openai';
import { AuditError, type ErrorData } from '../../errors.ts';
import type { Secret } from './secret.ts';

/**
 * `endpoint`: it fails, whatever it is asked. `request`: it refuses this one. `account`: it refuses the key, the model,
 * or to go on without money, and would refuse all others too.
 */
type Blame = 'endpoint' | 'request' | 'account';

export class AttemptFault extends Error {
  readonly blame: Blame;
  /** Another attempt may be answered. */
  readonly mayPass: boolean;
  readonly status: number | null;
  /** What the server asks to wait, in ms. */
  readonly retryAfterMs: number | null;
  /** The parameter that the server names as the fault. */
  readonly param: string | null;

  constructor(
    message: string,
    {
      blame = 'endpoint',
      mayPass = true,
      status = null,
      retryAfterMs = null,
      param = null,
    }: Partial<Pick<AttemptFault, 'blame' | 'mayPass' | 'status' | 'retryAfterMs' | 'param'>> = {},
  ) {
    super(message);
    this.blame = blame;
    this.mayPass = mayPass;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.param = param;
  }

  toError(attempts: number): AuditError {
    const data: ErrorData = { blame: this.blame, attempts, status: this.status };
    if (this.blame !== 'endpoint') return new AuditError('endpoint_refused', this.message, data);
    const times = attempts === 1 ? 'once' : `${attempts} times`;
    return new AuditError('endpoint_failed', `${this.message} (tried ${times})`, data);
  }
}

/** Statuses of a moment: time-out, conflict of locks, too early, too many requests. */
const PASSING = new Set([408, 409, 425, 429]);
const ACCOUNT = new Set([401, 402, 403, 404]);
/** Of a 429 that no wait mends. */
const OUT_OF_MONEY = /insufficient_quota|billing/i;

/** In ms: `retry-after-ms`, or `retry-after` as seconds or a date. Null for what is neither. */
export function readRetryAfter(headers: Headers | undefined, now: number): number | null {
  const ms = headers?.get('retry-after-ms');
  if (ms && Number.isFinite(Number(ms))) return Math.max(0, Number(ms));
  const text = headers?.get('retry-after');
  if (!text) return null;
  const wait = Number.isFinite(Number(text)) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

function ofStatus(error: APIError, secret: Secret, now: number): AttemptFault {
  const status = error.status as number;
  const said = secret.clean(error.message.replace(new RegExp(`^${status} `), ''));
  const message = `the endpoint answered ${status}: ${said}`;
  const param = typeof error.param === 'string' ? error.param : null;
  const head = { status, param, retryAfterMs: readRetryAfter(error.headers, now) };
  if (status === 429 && OUT_OF_MONEY.test(`${error.code} ${error.type}`)) {
    return new AttemptFault(message, { ...head, blame: 'account', mayPass: false });
  }
  if (PASSING.has(status) || status >= 500) return new AttemptFault(message, head);
  return new AttemptFault(message, {
    ...head,
    blame: ACCOUNT.has(status) ? 'account' : 'request',
    mayPass: false,
  });
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

/** What the client threw, as a fault. What is none of the endpoint's passes through. */
export function toFault(thrown: unknown, secret: Secret, now: number): unknown {
  if (thrown instanceof AttemptFault || thrown instanceof AuditError) return thrown;
  if (thrown instanceof APIError && typeof thrown.status === 'number') return ofStatus(thrown, secret, now);
  if (thrown instanceof APIConnectionError) {
    return new AttemptFault(`the endpoint cannot be reached: ${secret.clean(deepest(thrown))}`);
  }
  if (thrown instanceof APIError) {
    return new AttemptFault(`the endpoint reports a fault: ${secret.clean(thrown.message)}`);
  }
  if (thrown instanceof SyntaxError) return new AttemptFault('the endpoint answered with malformed JSON');
  // A connection that is cut while an answer comes is a plain TypeError of fetch.
  if (thrown instanceof TypeError) {
    return new AttemptFault(`the connection was cut: ${secret.clean(deepest(thrown))}`);
  }
  return thrown;
}
