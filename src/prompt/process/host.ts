/**
 * Jobs of one material, done in a process that can be ended. A template that runs into a limit there is not tried again: every
 * later job of the material fails at once for the same reason.
 */
import { AuditError, toAuditError } from '../../errors.ts';
import type { Limit } from '../interpreter.ts';
import { limitFault } from '../template.ts';
import { type Ended, RenderChild, type RenderProcess } from './child.ts';
import { type Answer, type Cost, type Job, type Made, type Material, templateOf } from './protocol.ts';

/** Of the processor, for all jobs together: a chat takes about a millisecond, and more where it is long. */
const BUDGET_MS = 10_000;
const BUDGET_A_RUN_MS = 20;
const BUDGET_A_CHARACTER_MS = 0.001;
/** Characters of all texts together: what templates and their values have, some times over, and what a few repeat. */
const BUDGET_TEXT = 2 ** 24;
const BUDGET_TEXT_A_CHARACTER = 4;

/** An idle process, for the material that comes next; for so long. */
const SPARE_MS = 10_000;
let spare: RenderChild | null = null;

export class RenderHost {
  readonly #material: Material;
  readonly #process: RenderProcess | undefined;
  #child: RenderChild | null = null;
  #condemned: AuditError | null;
  #runs = 0;
  #cpuMs = 0;
  #made = 0;
  #allowedMs = BUDGET_MS;
  #allowedText = BUDGET_TEXT;
  /** Calls take turns. */
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** `condemned`: why nothing is to be tried at all. */
  constructor(material: Material, condemned: AuditError | null, renderProcess?: RenderProcess) {
    this.#material = material;
    this.#process = renderProcess;
    this.#condemned = condemned;
  }

  /**
   * What becomes of each job: what the process makes of it, or why it cannot. Throws `cancelled`, `engine_closed`, and
   * `internal` where the process cannot be started.
   */
  ask(jobs: readonly Job[], signal: AbortSignal | undefined): Promise<readonly (Made | AuditError)[]> {
    const answers = this.#last.then(() => this.#inTurn(jobs, signal));
    this.#last = answers.catch(() => undefined);
    return answers;
  }

  /** Ends the process; calls that run then throw. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#child?.end();
  }

  /** Ends this host, whose calls have ended, and keeps its process for the next one if nothing was wrong with it. */
  async release(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (spare !== null || this.#condemned !== null || !child?.alive) return child?.end();
    spare = child;
    const expire = () => {
      if (spare !== child) return;
      spare = null;
      void child.end();
    };
    setTimeout(expire, SPARE_MS).unref();
  }

  /** The same as close once the calls that run have ended. */
  async closeWhenIdle(): Promise<void> {
    await this.#last;
    await this.close();
  }

  async #inTurn(jobs: readonly Job[], signal: AbortSignal | undefined) {
    const answers: (Made | AuditError)[] = [];
    /** The job that a process ended with. It gets one of its own: processes are ended, and stopped, from outside too. */
    let suspect = -1;
    const take = (answer: Answer, cost: Cost): boolean => {
      this.#count(jobs[answers.length]!, answer, cost);
      const error = 'error' in answer ? toError(answer.error) : null;
      if (error?.data.limit === 'time' && suspect !== answers.length) {
        suspect = answers.length;
        return false;
      }
      if (error?.data.limit !== undefined) this.#condemned ??= error;
      answers.push('value' in answer ? answer.value : error!);
      return this.#condemned === null;
    };
    while (answers.length < jobs.length) {
      const first = answers.length;
      if (this.#condemned !== null) {
        answers.push(this.#condemned);
        continue;
      }
      const alone = suspect === first;
      const ended = await this.#ask(jobs.slice(first, alone ? first + 1 : undefined), take, signal);
      if (ended === null) continue;
      if (suspect === answers.length) this.#condemn(jobs[suspect]!, ended.limit, ended.what);
      else suspect = answers.length;
    }
    return answers;
  }

  async #ask(
    jobs: readonly Job[],
    take: (answer: Answer, cost: Cost) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<Ended | null> {
    if (this.#closed) throw new AuditError('engine_closed', 'the model is closed');
    if (!this.#child?.alive) this.#child = this.#start();
    try {
      return await this.#child.ask(jobs, take, signal);
    } catch (thrown) {
      if (thrown instanceof AuditError) throw thrown;
      // What cannot be sent, such as a function: the fault of one chat.
      if (jobs.length > 1) {
        for (const job of jobs) {
          const ended = await this.#ask([job], take, signal);
          if (ended !== null || this.#condemned !== null) return ended;
        }
        return null;
      }
      const message = `a chat's options cannot be given to its template: ${toAuditError(thrown).message}`;
      take({ error: { code: 'bad_argument', message, data: {} } }, { runs: 1, cpuMs: 0, given: 0 });
      return null;
    }
  }

  #start(): RenderChild {
    const child = this.#process === undefined ? spare : null;
    if (!child?.alive) return new RenderChild(this.#material, this.#process);
    spare = null;
    child.setMaterial(this.#material);
    return child;
  }

  #count(job: Job, answer: Answer, { runs, cpuMs, given }: Cost): void {
    this.#runs += runs;
    this.#cpuMs += cpuMs;
    this.#allowedMs += BUDGET_A_RUN_MS * runs + given * BUDGET_A_CHARACTER_MS;
    this.#made += lengthOf(answer);
    const { source } = templateOf(this.#material, job);
    this.#allowedText += (source.length * runs + given) * BUDGET_TEXT_A_CHARACTER;
    const each = (sum: number) => Math.round(sum / this.#runs);
    if (this.#cpuMs > this.#allowedMs) {
      const what = `it takes ${each(this.#cpuMs)} ms of the processor each time, and is not tried any more`;
      this.#condemn(job, 'budget', what);
    } else if (this.#made > this.#allowedText) {
      const what = `it makes a text of ${each(this.#made)} characters each time, and is not tried any more`;
      this.#condemn(job, 'budget', what);
    }
  }

  #condemn(job: Job, limit: Limit, what: string): void {
    const { source, ...name } = templateOf(this.#material, job);
    this.#condemned ??= limitFault(source, name, limit, what);
  }
}

/** Characters of the texts that were made. */
function lengthOf(answer: Answer): number {
  if (!('value' in answer)) return 0;
  const { value } = answer;
  if (Array.isArray(value)) return value.reduce((sum: number, text: string) => sum + text.length, 0);
  return 'text' in value ? value.text.length : 0;
}

function toError({ code, message, data }: Extract<Answer, { error: unknown }>['error']): AuditError {
  return new AuditError(code, message, data);
}
