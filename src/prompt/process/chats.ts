/** One model's chats, rendered in a process that can be ended. */
import { AuditError } from '../../errors.ts';
import type { ChatJob, ModelChats } from '../model-chat.ts';
import type { RenderedChat } from '../render.ts';
import { sizeFault } from '../template.ts';
import type { ChatTraits } from '../traits.ts';
import type { RenderProcess } from './child.ts';
import { RenderHost } from './host.ts';

export class ChatHost {
  readonly #host: RenderHost;

  constructor(chats: ModelChats, renderProcess?: RenderProcess) {
    this.#host = new RenderHost({ chats }, sizeFault(chats.source, chats.options), renderProcess);
  }

  /**
   * Each chat as text, or why it cannot be: what `renderFor` throws. Throws `cancelled`, `engine_closed`, and `internal` where
   * the process cannot be started.
   */
  async render(
    jobs: readonly ChatJob[],
    signal?: AbortSignal,
  ): Promise<readonly (RenderedChat | AuditError)[]> {
    return (await this.#host.ask(jobs, signal)) as readonly (RenderedChat | AuditError)[];
  }

  /** How the template wants its chats. Throws `template_failed`. */
  async traits(): Promise<ChatTraits> {
    const [answer] = await this.#host.ask([null], undefined);
    if (answer instanceof AuditError) throw answer;
    return answer as ChatTraits;
  }

  /** Ends the process; calls that run then throw. */
  close(): Promise<void> {
    return this.#host.close();
  }

  /** The same once the calls that run have ended. */
  closeWhenIdle(): Promise<void> {
    return this.#host.closeWhenIdle();
  }
}
