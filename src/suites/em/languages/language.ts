/**
 * The words by which languages say what an answer is, and what it is not. One entry a language, in a file for each
 * family; each value is the source of a pattern, its alternatives parted by "|", written for text of {@link plainCharacters} in any case. Every
 * repetition in them is bounded.
 */
import type { Separators } from '../../shared/answer/number.ts';

export interface Language {
  /** Names of an answer, and of the right or final one. */
  readonly answer: string;
  /** What stands between that name and the answer, besides a colon or an equals sign. */
  readonly is?: string;
  /** The answer may also follow its name at once ("Cevap 7"), or behind a dash. */
  readonly bare?: true;
  /** In front of what is not the answer. */
  readonly not: string;
  /** Behind what is not the answer. */
  readonly notBehind?: string;
  /** What may stand between a denial and what it denies. */
  readonly filler?: string;
  /** In front of a whole clause that is not asserted. */
  readonly doubt?: string;
  /** The same, where the clause is about the answer. */
  readonly if?: string;
  /** Says that there is no answer: what stands in front of it in the text gives none. */
  readonly refusal?: string;
  /** Takes back what was said, at the start of a sentence: what follows stands instead. */
  readonly correction?: string;
  readonly or: string;
  /** Turns from what is denied to what holds. */
  readonly but: string;
  /** Begins a reason: what follows explains the answer and is not a part of it. */
  readonly because?: string;
  /** Heads of a further question, and of a remark behind an answer. */
  readonly question: string;
  readonly note?: string;
  /** "minus", as a word. */
  readonly minus?: string;
  /** Where it writes numbers otherwise than English does. */
  readonly separators?: Separators;
  /** Written without spaces between words. */
  readonly unspaced?: true;
}

/** 1.234,5 */
export const COMMA_AND_POINT: Separators = { comma: 'decimal', point: 'thousands' };
/** 1 234,5 */
export const COMMA: Separators = { comma: 'decimal', point: 'decimal' };
