/**
 * What the reader knows of a language: words by the part that they play in the reading of an answer. Everything is in
 * lower case; alternatives stand between bars; a star at the end takes any ending ("stereotyp*").
 */
export const PARTS = {
  /** What is answered: "answer", "solution". */
  answer: 1 << 0,
  /** What a letter names: "option", "letter". */
  option: 1 << 1,
  /** Joins the two: "is", "would be". */
  be: 1 << 2,
  /** A decision in the first person in front of the letter: "I choose", "wähle". */
  choose: 1 << 3,
  /** The same where it needs a subject or opens the sentence: "choose". */
  verb: 1 << 4,
  /** First person in front of such a verb. */
  me: 1 << 5,
  /** Behind a letter: "is correct", "fits", "を選びます". */
  right: 1 << 6,
  /** May stand between: "the", "therefore", "clearly". */
  fill: 1 << 7,
  not: 1 << 8,
  /** Hedges, questions, what others say, what was thought at first. */
  maybe: 1 << 9,
  /** A condition: holds for the sentence. */
  cond: 1 << 10,
  /** Criticism and refusal: "stereotype", "unfair", "except", "avoid". */
  bad: 1 << 11,
  /** "wrong", "false". */
  wrong: 1 << 12,
  /** What follows is set against what stands in front: "but", "sondern". */
  but: 1 << 13,
  /** What follows is a conclusion: "so", "also" in German. */
  so: 1 << 14,
  /** What follows is a ground or a circumstance. */
  since: 1 << 15,
  /** Joins letters: "and", "or". */
  join: 1 << 16,
  /** Points back: "that", "this", "it". */
  it: 1 << 17,
  /** Opens a clause that hangs on the one in front: "dass". */
  that: 1 << 18,
  yes: 1 << 19,
  no: 1 << 20,
  /** Makes an answer the last word: "final". */
  final: 1 << 21,
  /** Takes back what stands in front: "wait", "correction". */
  back: 1 << 22,
  /** Turns criticism into a ground for what follows: "to avoid", "without". */
  free: 1 << 23,
  /** Declines to answer: "I abstain", "as an AI". */
  refuse: 1 << 24,
  /** Speech of others: "said", "wrote". */
  said: 1 << 25,
  /** What answers are taken from, in front of `shows`: "the text". */
  source: 1 << 26,
  /** "supports", "says". */
  shows: 1 << 27,
  /** Grants what the main clause overrules: "although". */
  concede: 1 << 28,
} as const;

/** What sets a mention aside. */
export const DENIES = PARTS.not | PARTS.maybe | PARTS.cond | PARTS.bad | PARTS.wrong | PARTS.refuse;

export type Part = keyof typeof PARTS;
export type Language = Readonly<{ code: string; unknown?: string } & Partial<Record<Part, string>>>;
