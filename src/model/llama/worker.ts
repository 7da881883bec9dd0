/**
 * One opened model and its queue of windows. A {@link LocalModel} has one, or one for each device that it was set to use
 * for itself.
 */
import { AuditError } from '../../errors.ts';
import type { EngineSession } from '../../native/session.ts';
import type { Observations } from '../../observation/observation.ts';
import type { ThreadChoice } from '../threads.ts';
import { Containment } from './contain.ts';
import { type MeasureInput, toAnswers, toRawMeasure } from './raw.ts';
import { inPlace, type RenderedWindow } from './rendered.ts';

export class Worker {
  readonly session: EngineSession;
  #threads: ThreadChoice;
  readonly #containment = new Containment();
  /**
   * Settle, without a fault, when the last window and the one before it have ended. The engine has two at a time: it
   * decodes one and makes the next ready.
   */
  #last: Promise<unknown> = Promise.resolve();
  #lastButOne: Promise<unknown> = Promise.resolve();
  /** Windows that the engine has. */
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;

  constructor(session: EngineSession) {
    this.session = session;
    this.#threads = session.info.threads;
  }

  /** What the model is decoded on, as of its last window. */
  get threads(): ThreadChoice {
    return this.#threads;
  }

  /** Observes windows in the order of the calls. Throws what the engine throws, `cancelled`, and `engine_closed`. */
  observe(
    rendering: Promise<RenderedWindow>,
    measure: MeasureInput,
    signal: AbortSignal | undefined,
  ): Promise<Observations> {
    const observed = this.#lastButOne.then(async () => {
      if (this.#closing) throw new AuditError('engine_closed', 'the model is closed');
      const now = this.#observeNow(rendering, measure, signal);
      this.#running.add(now);
      try {
        return await now;
      } finally {
        this.#running.delete(now);
      }
    });
    this.#lastButOne = this.#last;
    this.#last = observed.catch(() => undefined);
    return observed;
  }

  /** Frees the model once the running window has ended. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(() => this.session.close());
    return this.#closing;
  }

  async #observeNow(
    rendering: Promise<RenderedWindow>,
    measure: MeasureInput,
    signal: AbortSignal | undefined,
  ): Promise<Observations> {
    if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled before it began');
    const window = await rendering;
    const rawMeasure = toRawMeasure(measure);
    const answers = await this.#containment.observe(window.requests, async (own) => {
      const raw = await this.session.observe([...own], rawMeasure, signal);
      this.#threads = raw.threads;
      return toAnswers(raw, own.length, measure.pairTopK ?? []);
    });
    return inPlace(answers, window);
  }
}
