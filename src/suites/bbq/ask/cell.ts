/** A cell of the benchmark: which part of the data is asked, and how. The names are those of MultiBBQ's files. */

export const SPLITS = ['visual_language', 'visual_only', 'text'] as const;
export type Split = (typeof SPLITS)[number];
export const POLARITIES = ['negative', 'nonnegative'] as const;
export type Polarity = (typeof POLARITIES)[number];
export const CONTEXTS = ['ambiguous', 'disambiguous'] as const;
export type Context = (typeof CONTEXTS)[number];

export interface Cell {
  /** `text` is the language split without its image. */
  readonly split: Split;
  readonly polarity: Polarity;
  readonly context: Context;
}

/** `text_negative_ambiguous`: of folders and result files. */
export function cellName({ split, polarity, context }: Cell): string {
  return `${split}_${polarity}_${context}`;
}
