/**
 * What becomes of a window whose process died: its requests are asked again alone, one by one, each in a process that
 * is started where there is none. One that ends its process again is to blame and is recorded as a failure; all
 * others have their rows.
 */
import { AuditError } from '../../errors.ts';
import { endedByRequest } from '../../native/worker/death.ts';
import { mergeAnswers } from '../../observation/merge.ts';
import type { Answers } from '../../observation/observation.ts';

/**
 * An engine that crashes on so many requests one after the other is what is broken, not the requests. Without a
 * limit a run over a million rows would start a million processes.
 */
const MAX_CRASHES_IN_A_ROW = 16;

/** What a request looks like is nothing to the rule. */
type ObserveOnce<R> = (requests: readonly R[]) => Promise<Answers>;

export class Containment {
  #crashesInARow = 0;

  /**
   * Observes a window. Throws what `observeOnce` throws, except that the process ended; that too where it could not
   * be started again, or where it ends with every request.
   */
  async observe<R>(requests: readonly R[], observeOnce: ObserveOnce<R>): Promise<Answers> {
    try {
      const observed = await observeOnce(requests);
      this.#crashesInARow = 0;
      return observed;
    } catch (thrown) {
      if (!endedByRequest(thrown) || requests.length === 0) throw thrown;
    }
    const parts: Answers[] = [];
    for (const request of requests) parts.push(await this.#alone(request, observeOnce));
    return mergeAnswers(parts);
  }

  async #alone<R>(request: R, observeOnce: ObserveOnce<R>): Promise<Answers> {
    try {
      const observed = await observeOnce([request]);
      this.#crashesInARow = 0;
      return observed;
    } catch (thrown) {
      if (!endedByRequest(thrown)) throw thrown;
      this.#crashesInARow += 1;
      if (this.#crashesInARow >= MAX_CRASHES_IN_A_ROW) throw brokenEngine(thrown);
      const { code, message, data } = thrown;
      // A window of nothing has the columns that are asked for, whatever they are.
      const nothing = await observeOnce([]);
      return { ...nothing, requests: 1, failures: [{ request: 0, code, message, data }] };
    }
  }
}

function brokenEngine(last: AuditError): AuditError {
  return new AuditError(
    last.code,
    `the engine's process ended with each of ${MAX_CRASHES_IN_A_ROW} requests one after the other, so the engine and not a request is at fault ("logit-audit doctor" says what it runs on); the last time: ${last.message}`,
    last.data,
    { cause: last },
  );
}
