/** Whose fault it is that a request was not answered, and when an endpoint is taken to be down. */
import { AuditError } from '../../errors.ts';

/**
 * An endpoint that fails at so many requests one after the other is down, and one that refuses so many for a reason that may
 * concern all of them refuses all. One that answers is neither, whatever its answers are worth.
 */
const MAX_FAILURES_IN_A_ROW = 16;

const OF_REQUEST: ReadonlySet<string> = new Set([
  'not_supported',
  'no_chat_template',
  'bad_argument',
  'file_not_found',
  'file_unreadable',
]);

/** Whether the fault is that of one request, and the others continue. */
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

  /** The fault as it is, or that of an endpoint which is down or refuses all; `kept` says what is not lost. */
  failed(error: AuditError, kept: string): AuditError {
    const { code, data } = error;
    if (data.answered === true) this.answered();
    const counts = (code === 'endpoint_failed' && data.answered !== true) || data.perhapsAll === true;
    if (!counts) return error;
    this.#inARow += 1;
    if (this.#inARow < MAX_FAILURES_IN_A_ROW) return error;
    const down = code === 'endpoint_failed';
    const what = `${down ? 'failed at' : 'refused'} ${this.#inARow} requests one after the other`;
    const message = `the endpoint ${what}${down ? ', so it is down' : ''}, and the run ends${kept}; the last time: ${error.message}`;
    return new AuditError(code, message, { ...data, blame: down ? 'down' : 'account' }, { cause: error });
  }
}
