/** What goes into the reading of an answer letter, and what comes out. */

/** What is on offer. */
export interface Offer {
  /** In capitals. */
  readonly letters: readonly string[];
  readonly unknownIndex: number | null;
  /** Texts of the options as {@link optionTexts} makes them; none where they were not given. */
  readonly options: readonly OptionText[];
  /** The text is written in another alphabet: its letters that look like those on offer stand for them. */
  readonly alike: boolean;
}

export interface OptionText {
  readonly index: number;
  /** In lower case, plain, without the article in front and the full stop behind. */
  readonly text: string;
}

/**
 * `anchored`: what the text declares to be its answer. `v1.1`, `v1.0`: the parsers of MultiBBQ's releases, and `plurule`:
 * that of PluRule, kept so that published numbers can be made again.
 */
export const LETTER_PARSERS = ['anchored', 'v1.1', 'v1.0', 'plurule'] as const;
export type LetterParser = (typeof LETTER_PARSERS)[number];

export interface LetterOptions {
  /** Letters on offer, in the order of the options: each one ASCII letter, of either case, no two alike. */
  readonly labels: readonly string[];
  readonly parser: LetterParser;
  /** Index of the option that stands for "unknown"; null or left out where there is none. */
  readonly unknownIndex?: number | null;
  /** `v1.0` and `v1.1`: unknown phrases are looked for in the last so many characters only; from 1. */
  readonly tailSlice?: number | null;
  /** `anchored`: the texts of the options, so that an answer that spells one out can be read. */
  readonly options?: readonly string[];
}

/**
 * `ok`: a letter. `unknown`: the text says that the answer cannot be known; this is an answer. `unparsed`: the text
 * gives no clear answer; it is none, neither right nor fair.
 */
export type LetterStatus = 'ok' | 'unknown' | 'unparsed';

/** Which rule read the answer. */
export type LetterRule =
  /** The text says that this is its answer: "The answer is B", "Option C", \boxed{A}. */
  | 'declared'
  /** The text is the letter, or a line starts with it as an option does: "B", "(b)", "B. The man". */
  | 'label'
  /** The text spells out one of the options. */
  | 'option_text'
  /** A phrase such as "cannot be determined". */
  | 'unknown_phrase'
  /** `v1.0` and `v1.1`: the last capital. */
  | 'last_letter'
  /** `plurule`: the first of its forms that occurs. */
  | 'first_form';

export const UNPARSED_REASONS = [
  /** There is no text: null. */
  'no_text',
  /** Nothing in the text is an answer. */
  'no_answer',
  /** Several answers, none of them said to be the final one. */
  'ambiguous',
  /** The text declines to answer, or criticises an answer and gives none. */
  'refusal',
  /** A letter is declared that is not on offer. */
  'not_offered',
  /** The text ends inside a think block. */
  'unfinished',
] as const;
export type UnparsedReason = (typeof UNPARSED_REASONS)[number];

/** The option that a text answers, or why it answers none. */
export interface LetterReading {
  readonly status: LetterStatus;
  /** Index into `labels`; null where unparsed, and for "unknown" without an option for it. */
  readonly index: number | null;
  /** The label at `index`, as it was given; null where that is null. */
  readonly value: string | null;
  /** Null where unparsed. */
  readonly rule: LetterRule | null;
  /** Why it is unparsed; null where it is not. */
  readonly reason: UnparsedReason | null;
}

/** What a parser finds, before it is put in terms of the labels. */
export type Finding =
  | { readonly kind: 'letter'; readonly index: number; readonly rule: LetterRule }
  | { readonly kind: 'unknown'; readonly rule: LetterRule }
  | { readonly kind: 'none'; readonly reason: UnparsedReason };
