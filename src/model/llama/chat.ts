/** The model's own way to read a chat: its template with its special tokens, in a process of its own. */
import { AuditError, toAuditError } from '../../errors.ts';
import type { ObserveRequest } from '../../observation/observation.ts';
import {
  ChatHost,
  type ChatJob,
  type ChatPrompt,
  checkMessages,
  DEFAULT_DATE,
  dateOf,
  foldsSystem,
  hashTemplate,
  type RenderedChat,
  SYSTEM_ROLES,
  type SystemRole,
} from '../../prompt/index.ts';
import type { ChatDescription, ChatTemplateInfo, ModelInfo } from '../backend.ts';
import { isChat, promptsOf, withTexts } from '../prompts.ts';

/** What the user says of chats, and who hears what became of them. */
export interface ChatSettings {
  readonly systemRole?: SystemRole | undefined;
  readonly date?: string | undefined;
  readonly onNote?: ((note: string) => void) | undefined;
}

/** A request whose prompts are texts, and what was said of those that were chats. */
export interface RenderedRequest {
  readonly request: ObserveRequest<string>;
  readonly chats: readonly RenderedChat[];
}

export class ChatRenderer {
  readonly template: ChatTemplateInfo | null;
  readonly #info: ModelInfo;
  readonly #settings: ChatSettings;
  readonly #host: ChatHost | null;
  readonly #noted = new Set<string>();

  /** Throws `bad_argument` for a date or a system role that is none. */
  constructor(info: ModelInfo, settings: ChatSettings = {}) {
    this.#info = info;
    this.#settings = settings;
    const { systemRole = 'auto', date = 'auto' } = settings;
    checkSettings(systemRole, date);
    const { chatTemplate: source, path, addsBos, bosText, eosText, controlTokens } = info;
    // A blank template is none.
    this.template = source === null || source.trim() === '' ? null : { source, sha256: hashTemplate(source) };
    this.#host =
      this.template &&
      new ChatHost({
        source: this.template.source,
        options: {
          bosToken: bosText,
          eosToken: eosText,
          controlTokens,
          systemRole,
          date,
          model: path,
        },
        addsBos,
      });
  }

  /** How chats are rendered; null for a model that has no template. Never throws. */
  async describe(): Promise<ChatDescription | null> {
    return this.#host && describe(this.#host, this.#settings);
  }

  /**
   * Each request with its chats as texts, or why it cannot be asked: what `renderContained` throws, `think_open` for a score in
   * a thought. Throws `cancelled`.
   */
  async renderRequests(
    requests: readonly ObserveRequest[],
    signal: AbortSignal | undefined,
  ): Promise<(RenderedRequest | AuditError)[]> {
    const jobs: ChatJob[] = [];
    const placed = requests.map((request) => {
      try {
        const own = promptsOf(request)
          .filter(isChat)
          .map((chat) => this.#jobOf(chat, request));
        jobs.push(...own);
        return own.length;
      } catch (thrown) {
        return toAuditError(thrown);
      }
    });
    const answers = jobs.length === 0 ? [] : await this.#render(jobs, signal);
    let next = 0;
    return requests.map((request, index) => {
      const chats = placed[index]!;
      if (chats instanceof AuditError) return chats;
      const own = answers.slice(next, next + chats);
      next += chats;
      const fault = own.find((answer) => answer instanceof AuditError);
      if (fault !== undefined) return fault as AuditError;
      return this.#rendered(request, own as readonly RenderedChat[]);
    });
  }

  /** Ends the process that renders. */
  async close(): Promise<void> {
    await this.#host?.close();
  }

  #jobOf({ messages, ...options }: ChatPrompt, request: ObserveRequest): ChatJob {
    if (this.#host === null) {
      const { path } = this.#info;
      const message = `${path} has no chat template; give its prompts as plain text, or a template of its family`;
      throw new AuditError('no_chat_template', message, { model: path });
    }
    const continuations = request.kind === 'score' ? request.continuations : undefined;
    return { messages: checkMessages(messages), options, continuations };
  }

  /** What cannot be rendered because no process can be started is each chat's own failure. */
  async #render(
    jobs: readonly ChatJob[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (RenderedChat | AuditError)[]> {
    try {
      return await this.#host!.render(jobs, signal);
    } catch (thrown) {
      const error = toAuditError(thrown);
      if (error.code !== 'internal') throw error;
      return jobs.map(() => error);
    }
  }

  #rendered(request: ObserveRequest, chats: readonly RenderedChat[]): RenderedRequest {
    if (chats.length === 0) return { request: request as ObserveRequest<string>, chats };
    for (const chat of chats) this.#note(chat);
    const texts = chats.map(({ text }) => text);
    return { request: withTexts(request, texts), chats };
  }

  /** What a user would not expect of a chat, each once. */
  #note({ systemFolded, date }: RenderedChat): void {
    const { path } = this.#info;
    const { systemRole, date: given, onNote } = this.#settings;
    const notes = [
      ...(systemFolded && systemRole !== 'fold'
        ? [
            `the chat template of ${path} takes no system message; what it says stands in front of the user's message (--system-role)`,
          ]
        : []),
      ...(date !== null && given === undefined
        ? [`the chat template of ${path} writes a date; it is ${date.slice(0, 10)} in every run (--date)`]
        : []),
    ];
    for (const note of notes) {
      if (this.#noted.has(note)) continue;
      this.#noted.add(note);
      onNote?.(note);
    }
  }
}

/** How chats of a template are rendered where nothing else is asked. Never throws. */
export async function describeTemplate(source: string, model: string): Promise<ChatDescription> {
  const host = new ChatHost({ source, options: { model }, addsBos: false });
  try {
    return await describe(host, {});
  } finally {
    await host.close();
  }
}

async function describe(host: ChatHost, settings: ChatSettings): Promise<ChatDescription> {
  const { systemRole = 'auto', date } = settings;
  try {
    const traits = await host.traits();
    return {
      systemRole: foldsSystem(traits, systemRole) ? 'fold' : 'keep',
      content: traits.content.user,
      date: date ?? (traits.wantsDate ? DEFAULT_DATE : null),
      error: null,
    };
  } catch (thrown) {
    const { message } = toAuditError(thrown);
    return { systemRole: null, content: null, date: date ?? null, error: message };
  }
}

function checkSettings(systemRole: string, date: string): void {
  if (!(SYSTEM_ROLES as readonly string[]).includes(systemRole)) {
    const message = `systemRole is ${JSON.stringify(systemRole)}; give one of ${SYSTEM_ROLES.join(', ')}`;
    throw new AuditError('bad_argument', message, { key: 'systemRole' });
  }
  if (date !== 'auto') dateOf(date);
}
