/** Whose fault it is that a request was not answered, and when an endpoint is taken to be down. */
import { AuditError } from '../../errors.ts';

/** An endpoint that fails at so many requests one after the other is down, and the work better goes on another day. */
const MAX_FAILURES_IN_A_ROW = 16;

const OF_REQUEST: ReadonlySet<string> = new Set([
  'not_supported',
  'no_chat_template',
  'bad_argument',
  'file_not_found',
  'file_unreadable',
]);

/** Whether the fault is that of one request, and the others go on. */
export function isOfRequest({ code, data }: AuditError): boolean {
  if (code === 'endpoint_failed') return data.blame === 'endpoint';
  if (code === 'endpoint_refused') return data.blame === 'request';
  return OF_REQUEST.has(code);
}

export class FailureCount {
  #inARow = 0;

  answered(): void {
    this.#inARow = 0;
  }

  /** The fault as it is, or that of an endpoint which is down; `kept` says what is not lost. */
  failed(error: AuditError, kept: string): AuditError {
    if (error.code !== 'endpoint_failed') return error;
    this.#inARow += 1;
    if (this.#inARow < MAX_FAILURES_IN_A_ROW) return error;
    return new AuditError(
      error.code,
      `the endpoint failed at ${this.#inARow} requests one after the other, so it is down, and the run ends${kept}; the last time: ${error.message}`,
      { ...error.data, blame: 'down' },
      { cause: error },
    );
  }
}
