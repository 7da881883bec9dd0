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
