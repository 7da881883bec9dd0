/** A chat of one model: its template, its special tokens, and what must hold of a prompt before it is tokenized. */
import { AuditError } from '../errors.ts';
import { refuseControlToken } from './control.ts';
import type { TemplateMessage } from './messages.ts';
import { type ChatOptions, type RenderedChat, renderChecked } from './render.ts';
import { shown } from './shown.ts';
import type { ChatTemplate } from './template.ts';
import { assertNotThinking } from './thinking.ts';

/** What every chat of a model is rendered with. */
export interface ModelChats {
  readonly source: string;
  readonly options: Pick<
    ChatOptions,
    'bosToken' | 'eosToken' | 'controlTokens' | 'systemRole' | 'date' | 'model'
  >;
  /** Does the tokenizer put BOS in front? */
  readonly addsBos: boolean;
}

/** One chat, its messages checked. */
export interface ChatJob {
  readonly messages: readonly TemplateMessage[];
  readonly options: ChatOptions;
  /** Texts that are to be scored behind it. */
  readonly continuations?: readonly string[] | undefined;
}

/** Throws what `renderChecked` throws, and `think_open` for a score in a thought. */
export function renderFor(
  { options, addsBos }: ModelChats,
  template: ChatTemplate,
  { messages, options: own, continuations }: ChatJob,
): RenderedChat {
  const all = { ...options, ...own };
  const rendered = renderChecked(template, messages, all);
  if (addsBos) checkBos(rendered, all);
  if (continuations) checkScore(rendered, continuations, all);
  return rendered;
}

/** The tokenizer looks for BOS at the very start; behind white space it would put another in front. */
function checkBos(
  { text, startsWithBos, templateSha256 }: RenderedChat,
  { bosToken, model }: ChatOptions,
): void {
  if (!bosToken || startsWithBos || !text.trimStart().startsWith(bosToken)) return;
  throw new AuditError(
    'template_failed',
    `the chat template of ${model} writes white space in front of ${shown(bosToken)}, so that the prompt would begin with ` +
      'BOS twice; render the chat yourself, take the white space away, and give the text with special: true',
    { templateSha256 },
  );
}

/** Continuations are one text with the prompt, so special tokens in them would be read as such too. */
function checkScore(
  chat: RenderedChat,
  continuations: readonly string[],
  { controlTokens = [] }: ChatOptions,
): void {
  assertNotThinking(chat);
  continuations.forEach((text, continuation) => {
    refuseControlToken(text, controlTokens, `continuation ${continuation + 1}`, { continuation });
  });
}
