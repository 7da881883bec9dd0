/**
 * What stands around a place of a text: the words next to it, whether a sentence starts there. A few characters are
 * looked at, however long the text, so that the time of a swap is linear.
 */

/** How far is looked: a few words. */
const REACH = 64;
const HEADLINE_REACH = 120;
const BEFORE = /([\p{L}\p{M}\p{N}'’]+\.?)([^\p{L}\p{M}\p{N}]*)$/u;
const AFTER = /^([^\p{L}\p{M}\p{N}]*)([\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*)/u;
/** Their dot ends no sentence. */
const ABBREVIATION =
  /(?:^|[^\p{L}])(?:Mr|Mrs|Ms|Mx|Dr|Prof|Rev|Hon|St|Sen|Gov|Gen|Col|Capt|Sgt|Lt|Jr|Sr|vs|No|\p{Lu})\.$/u;

export interface Neighbour {
  /** As the text spells it, with the dot of an abbreviation. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** What lies between. */
  readonly gap: string;
}

export function wordBefore(text: string, at: number): Neighbour | null {
  const found = BEFORE.exec(text.slice(Math.max(0, at - REACH), at));
  if (found === null) return null;
  const [, word, gap] = found as unknown as [string, string, string];
  const end = at - gap.length;
  return { word, gap, end, start: end - word.length };
}

export function wordAfter(text: string, at: number): Neighbour | null {
  const found = AFTER.exec(text.slice(at, at + REACH));
  if (found === null) return null;
  const [, gap, word] = found as unknown as [string, string, string];
  const start = at + gap.length;
  return { word, gap, start, end: start + word.length };
}

/** Does a sentence, a line or a quotation start at `at`? */
export function startsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - REACH), at);
  const bare = before.replace(/[\s"'“”‘’([*_—–]+$/u, '');
  if (bare === '') return at <= REACH;
  const between = before.slice(bare.length);
  if (between.includes('\n') || /["“‘(]$/u.test(between)) return true;
  return /[.!?:;…]$/u.test(bare) && !ABBREVIATION.test(bare);
}

/** "King", "O'Brien", and not "king" or "KING". */
export function isCapitalised(word: string): boolean {
  return /^\p{Lu}/u.test(word) && (word.length === 1 || /\p{Ll}/u.test(word));
}

/** Is `at` in a headline, where capitals say nothing? */
export function inHeadline(text: string, at: number): boolean {
  const words = text.slice(Math.max(0, at - HEADLINE_REACH), at + HEADLINE_REACH).match(/\p{L}{4,}/gu) ?? [];
  const capital = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return words.length >= 3 && capital >= 0.75 * words.length;
}
