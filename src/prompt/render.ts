/**
 * A checked chat as the text that a model was trained to read: rendered with the model's own template, its last assistant
 * turn continued where that is asked, and what tokenization must know said with it.
 */
import { AuditError } from '../errors.ts';
import { charactersIn, refuseControlTokens } from './control.ts';
import { DEFAULT_DATE, dateOf } from './dates.ts';
import type { TemplateMessage } from './messages.ts';
import { continueTurn, startOfAnswer } from './prefill.ts';
import { shown } from './shown.ts';
import { foldSystem, isSystemRole, type SystemRole } from './system.ts';
import type { ChatTemplate } from './template.ts';
import { endsInside, type ThinkTags, thinkTags, withClosedBlock } from './thinking.ts';
import { type ChatTraits, chatTraits, inForm } from './traits.ts';

export interface ChatOptions {
  /** Ends the prompt with the start of the assistant's turn. Default true; a prefill brings its own. */
  readonly addGenerationPrompt?: boolean;
  /** The beginning of the assistant's answer: the prompt ends right after it, inside that turn. */
  readonly assistantPrefill?: string | undefined;
  /**
   * Text behind the rendered prompt, as it is: what the assistant has said so far, out of reach of a template that would
   * change it (a thought taken out, white space trimmed). Not beside `assistantPrefill`.
   */
  readonly append?: string | undefined;
  /** Texts of the model's special tokens, for templates that write them. */
  readonly bosToken?: string | null;
  readonly eosToken?: string | null;
  /** Tools as the template wants them, JSON schemas of functions as a rule. */
  readonly tools?: readonly unknown[] | undefined;
  /** Further variables of the template, such as {enable_thinking: false}. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The date for templates that write one. Without it they use their own default, or fail. */
  readonly now?: Date | undefined;
  /**
   * The same as a day, YYYY-MM-DD, where `now` is not given; or `auto`: 2025-01-01 for a template that needs a date and has
   * none of its own, else its own. An opened model's default is `auto`.
   */
  readonly date?: string | undefined;
  /**
   * What becomes of system messages: `keep` (default): the template gets them; `fold`: what they say stands in front of the
   * user's message; `auto` (an opened model's default): folded where the template does not take them.
   */
  readonly systemRole?: SystemRole | undefined;
  /** Puts an empty, closed think block in front of the answer, for models whose template knows think blocks. */
  readonly closeThink?: boolean;
  /** Texts of the model's control tokens: messages that hold one are refused, because it would become that token. */
  readonly controlTokens?: readonly string[];
  /** Whose template it is, for messages. */
  readonly model?: string | undefined;
}

export interface RenderedChat {
  readonly text: string;
  readonly templateSha256: string;
  /** The template wrote BOS itself: tokenization must not put another in front. */
  readonly startsWithBos: boolean;
  /** The template knows think blocks. */
  readonly thinks: boolean;
  /** The prompt ends inside a think block. */
  readonly thinkOpen: boolean;
  /** An empty think block was put in because of `closeThink`. */
  readonly thinkClosed: boolean;
  readonly prefill: string | null;
  /** The date that the template wrote, or null if it asked for none. */
  readonly date: string | null;
  /** What system messages say stands in front of the user's; absent where it does not. */
  readonly systemFolded?: true;
}

const RESERVED = [
  'messages',
  'add_generation_prompt',
  'bos_token',
  'eos_token',
  'tools',
  'namespace',
  'range',
  'raise_exception',
  'strftime_now',
];

/**
 * Renders a chat. Throws `template_failed` where the template refuses the chat, cannot be run or does not keep a prefill, and
 * `bad_argument` for messages and options that cannot be. The text is to be tokenized with special tokens read as such.
 */
export function renderChecked(
  compiled: ChatTemplate,
  given: readonly TemplateMessage[],
  options: ChatOptions,
): RenderedChat {
  const tags = thinkTags(compiled.source);
  checkOptions(given, options);
  const { bosToken, assistantPrefill: prefill = null, append = '', closeThink = false } = options;
  const key = prefill === null ? 'append' : 'assistantPrefill';
  refuseControlTokens(given, prefill ?? append, options.controlTokens ?? [], tags, key);
  const addGenerationPrompt = options.addGenerationPrompt ?? true;
  const traits = chatTraits(compiled);
  const folded = foldsSystem(traits, options.systemRole) && given.some(({ role }) => isSystemRole(role));
  const checked = folded ? foldSystem(given) : given;
  const now = dateFor(traits, options);
  const characters = charactersGiven(given, options);

  const render = (turns: readonly TemplateMessage[], add: boolean) =>
    compiled.render(
      { ...traits.absent, ...variables(inForm(turns, traits.content), add, options) },
      { now, given: characters },
    );
  const rendering =
    prefill === null
      ? render(checked, addGenerationPrompt)
      : continueTurn(checked, prefill, (turns) => render(turns, false), compiled.sha256);
  const speaks = prefill !== null || addGenerationPrompt;
  const tailAt = speaks && tags ? startOfAnswer(rendering.text, () => render(checked, false)) : 0;
  const closing = closeThink && speaks && tags;
  const { text: prompt, closed } = closing
    ? close(rendering.text, tailAt, prefill ?? '', tags)
    : { text: rendering.text, closed: false };
  const text = prompt + append;
  return {
    text,
    templateSha256: compiled.sha256,
    startsWithBos: startsWithOneBos(text, bosToken, compiled.sha256),
    thinks: tags !== null,
    thinkOpen: speaks && tags !== null && isOpen(text, tailAt, checked.at(-1)!.content, tags),
    thinkClosed: closed,
    prefill,
    date: rendering.usedDate && now ? now.toISOString() : null,
    ...(folded ? { systemFolded: true } : {}),
  };
}

/** Do system messages become part of the user's? */
export function foldsSystem({ takesSystem }: ChatTraits, systemRole: SystemRole = 'keep'): boolean {
  return systemRole === 'fold' || (systemRole === 'auto' && !takesSystem);
}

/** The date that templates may write; undefined where they are to use their own. Throws `bad_argument`. */
export function dateFor({ wantsDate }: ChatTraits, { now, date }: ChatOptions): Date | undefined {
  if (now !== undefined || date === undefined) return now;
  if (date !== 'auto') return dateOf(date);
  return wantsDate ? dateOf(DEFAULT_DATE) : undefined;
}

/** Of all that the chat and its tools say, and a little for each message. */
export function charactersGiven(
  messages: readonly TemplateMessage[],
  { tools, extra }: Pick<ChatOptions, 'tools' | 'extra'>,
): number {
  return messages.length * 64 + charactersIn([messages, tools, extra]);
}

function checkOptions(messages: readonly TemplateMessage[], options: ChatOptions): void {
  const { assistantPrefill, append, addGenerationPrompt = true, extra = {} } = options;
  const refused = (message: string, data = {}) => new AuditError('bad_argument', message, data);
  if (append !== undefined && (assistantPrefill !== undefined || !addGenerationPrompt)) {
    throw refused(
      'append stands behind the start of a turn of the assistant; give it without assistantPrefill',
    );
  }
  if (messages.at(-1)!.role === 'assistant' && (assistantPrefill !== undefined || addGenerationPrompt)) {
    throw refused(
      "the last message is the assistant's; to continue it give it as assistantPrefill instead, to render the chat " +
        'as it is set addGenerationPrompt to false',
    );
  }
  const taken = Object.keys(extra).find((key) => RESERVED.includes(key));
  if (taken !== undefined)
    throw refused(`extra may not set ${taken}; it has an option of its own`, { key: taken });
}

function variables(
  messages: readonly unknown[],
  addGenerationPrompt: boolean,
  { bosToken, eosToken, tools, extra = {} }: ChatOptions,
): Record<string, unknown> {
  return {
    ...extra,
    messages,
    add_generation_prompt: addGenerationPrompt,
    bos_token: bosToken ?? '',
    eos_token: eosToken ?? '',
    ...(tools === undefined ? {} : { tools }),
  };
}

/** Also a block that the template opens whether or not it is asked for an answer, but not one that a user writes. */
function isOpen(text: string, tailAt: number, lastContent: string, tags: ThinkTags): boolean {
  const endsWithTag = (some: string) => some.trimEnd().endsWith(tags.open);
  return endsInside(text.slice(tailAt), tags) || (endsWithTag(text) && !endsWithTag(lastContent));
}

function close(
  text: string,
  tailAt: number,
  prefill: string,
  tags: ThinkTags,
): { text: string; closed: boolean } {
  const head = text.slice(0, text.length - prefill.length);
  const tail = head.slice(tailAt);
  const done = tail.includes(tags.close) && !endsInside(tail, tags);
  if (done || prefill.includes(tags.open) || prefill.includes(tags.close)) return { text, closed: false };
  return { text: withClosedBlock(head, tags) + prefill, closed: true };
}

function startsWithOneBos(text: string, bos: string | null | undefined, templateSha256: string): boolean {
  if (!bos || !text.startsWith(bos)) return false;
  if (!text.startsWith(bos, bos.length)) return true;
  throw new AuditError(
    'template_failed',
    `the chat template writes ${shown(bos)} twice at the start of the prompt`,
    {
      templateSha256,
    },
  );
}
