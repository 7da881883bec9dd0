/**
 * What a scale is once loaded: a questionnaire with the labels of its answers, its items, the subscales that they add up
 * to, the bands of a score, and how models are asked. Everything else of this room takes or gives these types.
 */

/** An answer that an item may have, and what it counts. */
export interface ScaleResponse {
  /** An integer. */
  readonly value: number;
  /** As participants' files spell it; case and spaces around it do not count. */
  readonly labels: readonly string[];
}

export interface ScaleItem {
  /** What the item is about, in words of the file's author; null if it does not say. */
  readonly text: string | null;
  /** Does the answer count the other way round: lowest + highest value - its own? */
  readonly reversed: boolean;
}

/**
 * A part of the range of scores. Between two neighbours lies one cut: the lower one ends with `upTo`, or the upper one
 * begins with `from`, the score itself included; the other of the two is null.
 */
export interface ScaleBand {
  readonly name: string;
  readonly upTo: number | null;
  readonly from: number | null;
}

/** Whatever has bands: a scale, or one of its subscales. */
export interface Banded {
  /** From the lowest scores to the highest; the ordinal of a band is its place, from 0. */
  readonly bands: readonly ScaleBand[];
}

/** Items of a scale whose sum is one score. */
export interface Subscale extends Banded {
  /** The part of column names that stands for it: `pred_group_ca`, `band_match_group`. */
  readonly name: string;
  readonly title: string;
  /** Keys of the scale's items, each of which is a column of the participants' file. */
  readonly items: readonly string[];
  /** The key of the score in the JSON that a model answers with. */
  readonly key: string;
  /** The key of the band in that JSON, which the model may leave out; null if it is not asked for. */
  readonly bandKey: string | null;
  /** The lowest and the highest sum that the items can have. */
  readonly min: number;
  readonly max: number;
  /** Its own, or those of the scale. */
  readonly bands: readonly ScaleBand[];
}

/** How much a model learns of a participant. */
export interface Tier {
  readonly name: string;
  /** Keys of `personas.parts`, in the order in which the model reads them. */
  readonly parts: readonly string[];
}

/** Where the value of a template's variable comes from. */
export interface PersonaColumn {
  /** Column of the participants' file. */
  readonly column: string;
  /** Decimals that a number is rounded to; null for what is shown as it is. */
  readonly decimals: number | null;
}

/** How a participant becomes a chat: Jinja templates, each over the variables of `columns`. */
export interface Personas {
  /** Cells that say nothing, as an empty one does; case and spaces around them do not count. */
  readonly missing: readonly string[];
  /** By the name of the variable. */
  readonly columns: Readonly<Record<string, PersonaColumn>>;
  readonly system: string;
  /** What the user's message ends with. */
  readonly ask: string;
  /** Sentences; one that needs a value that is missing is left out. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

export type ScaleOrigin = 'shipped' | 'own' | 'file';

/** A questionnaire: items, answers, subscales, bands, tiers and templates of personas. */
export interface Scale extends Banded {
  readonly name: string;
  readonly title: string;
  /** Who published it, and whose the key is; null if the file does not say. */
  readonly source: string | null;
  /** What the scores are of, as the end of column names has it: `ca` makes `gt_group_ca` and `pred_group_ca`. */
  readonly construct: string;
  /** From the lowest value to the highest. */
  readonly responses: readonly ScaleResponse[];
  readonly items: Readonly<Record<string, ScaleItem>>;
  /** By name, in the order of the file, those that a model is not asked for too. */
  readonly subscales: Readonly<Record<string, Subscale>>;
  /** The bands of subscales that have none of their own; ask a subscale for its bands rather than the scale. */
  readonly bands: readonly ScaleBand[];
  /** Names of the subscales that a model is asked for unless a run says otherwise. */
  readonly asked: readonly string[];
  /** In the order of the file; changes are measured against the first. Empty if models are not asked by tiers. */
  readonly tiers: readonly Tier[];
  /** Null for a scale whose answers are only ever read. */
  readonly personas: Personas | null;
  /** The file it came from, as given, and the SHA-256 of its bytes in hexadecimal. */
  readonly origin: ScaleOrigin;
  readonly file: string;
  readonly sha256: string;
}
