/**
 * One model's chats, rendered in a process that can be ended. A template that runs into a limit there is not tried again:
 * every later chat fails at once for the same reason.
 */
import { AuditError, toAuditError } from '../../errors.ts';
import type { ChatJob, ModelChats } from '../model-chat.ts';
import type { RenderedChat } from '../render.ts';
import { limitFault, sizeFault } from '../template.ts';
import type { ChatTraits } from '../traits.ts';
import { type Ended, RenderChild, type RenderProcess } from './child.ts';
import type { Answer, Job } from './protocol.ts';

/** Of the processor, for all chats of a model together: a chat takes about a millisecond, and more where it is long. */
const BUDGET_MS = 10_000;
const BUDGET_A_CHAT_MS = 20;
const BUDGET_A_CHARACTER_MS = 0.001;

export class ChatHost {
  readonly #model: ModelChats;
  readonly #process: RenderProcess;
  #child: RenderChild | null = null;
  #condemned: AuditError | null;
  #chats = 0;
  #cpuMs = 0;
  #allowedMs = BUDGET_MS;
  /** Calls take turns. */
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(model: ModelChats, renderProcess: RenderProcess = {}) {
    this.#model = model;
    this.#process = renderProcess;
    this.#condemned = sizeFault(model.source, model.options);
  }

  /**
   * Each chat as text, or why it cannot be: what `renderFor` throws. Throws `cancelled`, `engine_closed`, and `internal` where
   * the process cannot be started.
   */
  async render(
    jobs: readonly ChatJob[],
    signal?: AbortSignal,
  ): Promise<readonly (RenderedChat | AuditError)[]> {
    return (await this.#answers(jobs, signal)) as readonly (RenderedChat | AuditError)[];
  }

  /** How the template wants its chats. Throws `template_failed`. */
  async traits(): Promise<ChatTraits> {
    const [answer] = await this.#answers([null], undefined);
    if (answer instanceof AuditError) throw answer;
    return answer as ChatTraits;
  }

  /** Ends the process; calls that run then throw. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#child?.end();
  }

  /** The same once the calls that run have ended. */
  async closeWhenIdle(): Promise<void> {
    await this.#last;
    await this.close();
  }

  #answers(jobs: readonly Job[], signal: AbortSignal | undefined) {
    const answers = this.#last.then(() => this.#inTurn(jobs, signal));
    this.#last = answers.catch(() => undefined);
    return answers;
  }

  async #inTurn(jobs: readonly Job[], signal: AbortSignal | undefined) {
    const answers: (RenderedChat | ChatTraits | AuditError)[] = [];
    /** The job that a process ended with. It gets one of its own: processes are ended, and stopped, from outside too. */
    let suspect = -1;
    const take = (answer: Answer, cpuMs: number): boolean => {
      this.#count(jobs[answers.length]!, cpuMs);
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
      if (suspect === answers.length) this.#condemn(ended.limit, ended.what);
      else suspect = answers.length;
    }
    return answers;
  }

  async #ask(
    jobs: readonly Job[],
    take: (answer: Answer, cpuMs: number) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<Ended | null> {
    if (this.#closed) throw new AuditError('engine_closed', 'the model is closed');
    if (!this.#child?.alive) this.#child = new RenderChild(this.#model, this.#process);
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
      take({ error: { code: 'bad_argument', message, data: {} } }, 0);
      return null;
    }
  }

  #count(job: Job, cpuMs: number): void {
    const characters = job?.messages.reduce((sum, { content }) => sum + content.length, 0) ?? 0;
    this.#chats += 1;
    this.#cpuMs += cpuMs;
    this.#allowedMs += BUDGET_A_CHAT_MS + characters * BUDGET_A_CHARACTER_MS;
    if (this.#cpuMs <= this.#allowedMs) return;
    const each = Math.round(this.#cpuMs / this.#chats);
    this.#condemn('budget', `it takes ${each} ms of the processor a chat, and is not tried any more`);
  }

  #condemn(limit: 'time' | 'memory' | 'budget', what: string): void {
    const { source, options } = this.#model;
    this.#condemned ??= limitFault(source, options, limit, what);
  }
}

function toError({ code, message, data }: Extract<Answer, { error: unknown }>['error']): AuditError {
  return new AuditError(code, message, data);
}
