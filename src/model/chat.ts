/** The model's own way to read a chat: its template, parsed once, with its special tokens. */
import { AuditError, toAuditError } from '../errors.ts';
import type { ObserveRequest } from '../observation.ts';
import {
  assertNotThinking,
  type ChatPrompt,
  ChatTemplate,
  hashTemplate,
  type RenderedChat,
  refuseControlToken,
  renderChat,
} from '../prompt/index.ts';
import type { ChatTemplateInfo, ModelInfo } from './backend.ts';
import { isChat, promptsOf, withTexts } from './prompts.ts';

/** A request whose prompts are texts, and what was told of those that were chats. */
export interface RenderedRequest {
  readonly request: ObserveRequest<string>;
  readonly chats: readonly RenderedChat[];
}

export class ChatRenderer {
  readonly template: ChatTemplateInfo | null;
  readonly #info: ModelInfo;
  /** Parsed when the first chat comes; what cannot be parsed is not tried again. */
  #parsed: ChatTemplate | AuditError | null = null;

  constructor(info: ModelInfo) {
    this.#info = info;
    const source = info.chatTemplate;
    // A blank template is none: renderChat says the same.
    this.template = source === null || source.trim() === '' ? null : { source, sha256: hashTemplate(source) };
  }

  /** A request with its chats as texts. Throws what `renderChat` throws, and `think_open` for a score in a thought. */
  renderRequest(request: ObserveRequest): RenderedRequest {
    const prompts = promptsOf(request);
    const chats = prompts.filter(isChat).map((chat) => this.#render(chat));
    if (chats.length === 0) return { request: request as ObserveRequest<string>, chats };
    if (request.kind === 'score') this.#checkScore(request.continuations, chats[0]!);
    const texts = chats.map(({ text }) => text);
    return { request: withTexts(request, texts), chats };
  }

  #render({ messages, ...options }: ChatPrompt): RenderedChat {
    const { path, bosText, eosText, controlTokens } = this.#info;
    const rendered = renderChat(this.#template(), messages, {
      ...options,
      bosToken: bosText,
      eosToken: eosText,
      controlTokens,
      model: path,
    });
    this.#checkBos(rendered);
    return rendered;
  }

  #template(): ChatTemplate | null {
    if (this.template === null) return null;
    if (this.#parsed === null) {
      try {
        this.#parsed = new ChatTemplate(this.template.source, { model: this.#info.path });
      } catch (thrown) {
        this.#parsed = toAuditError(thrown);
      }
    }
    if (this.#parsed instanceof AuditError) throw this.#parsed;
    return this.#parsed;
  }

  /** The tokenizer looks for BOS at the very start; behind white space it would put another in front. */
  #checkBos({ text, startsWithBos, templateSha256 }: RenderedChat): void {
    const { addsBos, bosText, path } = this.#info;
    if (!addsBos || bosText === null || startsWithBos || !text.trimStart().startsWith(bosText)) return;
    throw new AuditError(
      'template_failed',
      `the chat template of ${path} writes white space in front of ${bosText}, so that the prompt would begin with ` +
        'BOS twice; render the chat yourself, take the white space away, and give the text with special: true',
      { templateSha256 },
    );
  }

  /** Continuations are one text with the prompt, so special tokens in them would be read as such too. */
  #checkScore(continuations: readonly string[], chat: RenderedChat): void {
    assertNotThinking(chat);
    continuations.forEach((text, continuation) => {
      refuseControlToken(text, this.#info.controlTokens, `continuation ${continuation + 1}`, {
        continuation,
      });
    });
  }
}
