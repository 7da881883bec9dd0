/**
 * What a lexicon is once loaded: groups of words in the order of the file, partners for the swap, and occupations.
 * Everything else of this room takes or gives these types.
 */

/** One group of words, as spelt in the file. */
export interface LexiconGroup {
  readonly name: string;
  readonly words: readonly string[];
}

/** A word of a group. */
export interface GroupedWord {
  readonly group: string;
  readonly word: string;
}

/** Two words that stand for each other when groups are swapped, in the use `as` (null: in any use). */
export interface LexiconPair {
  readonly words: readonly [GroupedWord, GroupedWord];
  readonly as: string | null;
}

/** What the swap of free text knows beyond pairs; each list may be empty. */
export interface SwapRules {
  /** Words that become one which says nothing of the group ("poetess", "poet"); that one stays. */
  readonly oneWay: readonly { readonly word: string; readonly to: string }[];
  /** Ends of words that stand for each other in words of no list ("ferryman"). */
  readonly endings: readonly LexiconPair[];
  /** Words that stay where they are used otherwise than their pair says ("to man the desk"). */
  readonly otherwise: readonly string[];
  /** Words that stand before a name or for one, with a capital ("Uncle"). */
  readonly beforeNames: readonly string[];
  /** Phrases that stay; one with a capital is found as written only. */
  readonly fixed: readonly string[];
  /** Names that say of which group a person is; those that are words or places too. */
  readonly persons: readonly string[];
  readonly personsOrWords: readonly string[];
  readonly personsOrPlaces: readonly string[];
}

export interface Occupation {
  readonly word: string;
  /** Share of women, 0 to 1. */
  readonly share: number;
  readonly year: number | null;
}

/** Two words of no group, whose swap is held against the swap of two words of different groups. */
export interface LexiconControl {
  readonly words: readonly [string, string];
  /** The words of groups that they may replace, spelt as there. */
  readonly for: readonly string[];
}

/** Groups of words, their pairs, and occupations with the share of women in each. */
export interface Lexicon {
  readonly name: string;
  readonly language: string;
  readonly description: string;
  readonly source: string | null;
  readonly groups: readonly LexiconGroup[];
  /** Words that are found in a text only as written or all in capitals. */
  readonly matchCase: readonly string[];
  /** Names of people; they count where the gate of ctf looks for a pronoun or name. */
  readonly names: readonly string[];
  readonly pairs: readonly LexiconPair[];
  readonly controls: readonly LexiconControl[];
  readonly occupations: readonly Occupation[];
  /** Null where the file has no key `swap`. */
  readonly swap: SwapRules | null;
  /** The file it came from, as given, and the SHA-256 of its bytes in hexadecimal. */
  readonly file: string;
  readonly sha256: string;
}
