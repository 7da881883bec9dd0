/**
 * The prompt of a row, by the axes of the experiment: context, blank line, question, then the lettered answers. Each
 * axis has its table, from a value to what it does; nothing here knows an experiment by name.
 */
import type { BbqOptions } from './options.ts';
import type { BbqRow, Wording } from './row.ts';

export const LETTERS = ['A', 'B', 'C'] as const;

export type PromptOptions = Pick<
  BbqOptions,
  'split' | 'polarity' | 'context' | 'fields' | 'options' | 'disambig' | 'inject' | 'stripImageRef'
>;

export interface BbqPrompt {
  readonly text: string;
  /** The answers as they are shown. */
  readonly options: readonly string[];
}

const FIELDS: Readonly<Record<BbqOptions['fields'], (row: BbqRow) => Wording | null>> = {
  masked: ({ masked }) => masked,
  unmasked: ({ unmasked }) => unmasked,
};

const OPTIONS: Readonly<
  Record<BbqOptions['options'], (options: readonly string[], unknown: number) => readonly string[]>
> = {
  plain: (options) => options,
  label: (options, unknown) =>
    options.map((option, at) => (at === unknown ? option : `person ${LETTERS[at]}`)),
};

const IMAGE_REFERENCE = ' in the image';

/** The question in front of which the context stands: null for one about an image alone. */
function contextOf(row: BbqRow, wording: Wording, options: PromptOptions): string | null {
  if (options.split === 'visual_only') return null;
  const start = options.inject ? row.unmasked.context : wording.context;
  if (options.context === 'ambiguous' || row.sentence === null) return start;
  return `${start} ${row.sentence[options.disambig]}`;
}

/** Null where the row lacks a text that the options ask for. `bbq.ts` sees to it that the row is one of the cell. */
export function bbqPrompt(row: BbqRow, options: PromptOptions): BbqPrompt | null {
  const wording = FIELDS[options.fields](row);
  // Without a sentence of its own, the context has it inside, as it is worded there.
  if (wording === null || (row.source === 'bbq' && options.disambig === 'masked')) return null;
  const context = contextOf(row, wording, options);
  const asked = row.questions[options.polarity]!.text;
  const question = options.stripImageRef ? asked.replaceAll(IMAGE_REFERENCE, '') : asked;
  const shown = OPTIONS[options.options](wording.options, row.unknown);
  const lines = [
    ...(context === null ? [] : [context, '']),
    question,
    ...shown.map((option, at) => `${LETTERS[at]}. ${option}`),
  ];
  return { text: lines.join('\n'), options: shown };
}
