/** The requests of a row: the letters as continuations of its prompt, and a text in free words. */

import type { SuiteContext } from '../../../contract/suite.ts';
import type { GenerateRequest, ObserveRequest, ScoreRequest } from '../../../observation/observation.ts';
import type { ObservedRequest } from '../../../observation/observed.ts';
import type { BbqOptions } from './options.ts';
import { LETTERS } from './prompt.ts';
import type { BbqRow } from './row.ts';
import { reasons, SYSTEM_MESSAGES } from './system.ts';

type ImageOptions = Pick<BbqOptions, 'image' | 'augmentation' | 'split'>;
type Source = (row: BbqRow & { readonly image: string }, options: ImageOptions) => string;

const GENERATED = 'gpt_image_gen';

const SOURCES: Readonly<Record<Exclude<BbqOptions['image'], 'none'>, Source>> = {
  dataset: ({ image }) => image,
  aug: ({ image }, { augmentation }) => image.replace(GENERATED, `${GENERATED}_${augmentation}`),
  blank: () => './data/images/pure_white_1024_1024.png',
  realworld: ({ ids, category }, { split }) =>
    `./data/images/real_world_image/${split}_${category}_q${ids.q_id}_c${ids.c_id}_*.png`,
};

/** Path of the image that goes with the row's question; null where none does. */
export function imageOf(row: BbqRow, options: ImageOptions): string | null {
  if (options.split === 'text' || options.image === 'none' || row.image === null) return null;
  return SOURCES[options.image]({ ...row, image: row.image }, options);
}

type Context = Pick<SuiteContext<BbqOptions>, 'options' | 'hasChatTemplate'>;

const MOST_ATTEMPTS = 3;

/** What a plain text ends with: where the letter is to stand, or the thoughts. */
const BEFORE_ANSWER = 'Answer:';
const BEFORE_THOUGHTS = 'Thoughts:';

function asksChat({ options: { chat }, hasChatTemplate = false }: Context): boolean {
  return chat === 'on' || (chat === 'auto' && hasChatTemplate);
}

/** As a chat, or as a text with what the chat says one below the other. `thinks`: thoughts come before the answer. */
function promptOf(text: string, context: Context, thinks: boolean): GenerateRequest['prompt'] {
  const system = SYSTEM_MESSAGES[context.options.reasoningMode];
  if (!asksChat(context)) {
    return `${system}\n\n${text}\n\n${thinks ? BEFORE_THOUGHTS : BEFORE_ANSWER}`;
  }
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: text },
    ],
    // A model that thinks unasked answers at once where it is to give a letter alone.
    ...(thinks ? {} : { closeThink: true }),
  };
}

/** `roles` says which letter stands for what. */
export function letterRequest(
  text: string,
  context: Context,
  roles: Readonly<Record<string, string>>,
): ScoreRequest {
  const space = asksChat(context) ? '' : ' ';
  return {
    kind: 'score',
    prompt: promptOf(text, context, false),
    continuations: LETTERS.map((letter) => `${space}${letter}`),
    roles,
  };
}

/** What a row is asked with. */
export interface Asked {
  readonly text: string;
  /** Path of the image that is shown; null where none is. */
  readonly image: string | null;
  /** Which letter stands for what. */
  readonly roles: Readonly<Record<string, string>>;
}

/** `attempt` counts from 0. */
export function textRequest(
  { text, image, roles }: Asked,
  context: Context,
  attempt: number,
): GenerateRequest {
  const { maxTokens, temperature, sampleSeed, reasoningMode } = context.options;
  const thinks = reasons(reasoningMode);
  return {
    kind: 'generate',
    prompt: promptOf(text, context, thinks),
    maxTokens,
    temperature,
    seed: sampleSeed + attempt,
    // A model without turns continues with a next question.
    ...(asksChat(context) || thinks ? {} : { stop: ['\n'] }),
    ...(image === null ? {} : { images: [image] }),
    roles,
  };
}

export function asksLetters({ answer }: BbqOptions): boolean {
  return answer !== 'text';
}

export function asksText({ answer }: BbqOptions): boolean {
  return answer !== 'letters';
}

export function firstRequests(asked: Asked, context: Context): ObserveRequest[] {
  return [
    ...(asksLetters(context.options) ? [letterRequest(asked.text, context, asked.roles)] : []),
    ...(asksText(context.options) ? [textRequest(asked, context, 0)] : []),
  ];
}

/**
 * Whether a text that gave no answer is asked for again. At temperature 0 the same text would come: there one attempt is
 * all there is.
 */
export function mayRetry({ retry, temperature }: BbqOptions, attempts: readonly ObservedRequest[]): boolean {
  return retry && temperature > 0 && attempts.length < MOST_ATTEMPTS;
}
