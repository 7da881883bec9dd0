/** One letter at a place of a plain text that stands for an option there, and is no word, initial or part of a name. */

export interface LetterToken {
  /** In capitals. */
  readonly letter: string;
  /** In brackets, or with a bracket behind it. */
  readonly marked: boolean;
  /** Where the text goes on. */
  readonly end: number;
}

const TOKEN = /(?<open>\(?)(?<letter>[A-Za-z])(?<close>\)?)/uy;
/** Chinese, Japanese and Korean put no space between words. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}`;
/** What follows a letter that is part of something else: "B's", "A-level", "C++", "A.I.", "A. I. Jones", "B2". */
const PART_OF_MORE = new RegExp(
  String.raw`(?![${UNSPACED}])[\p{L}\p{N}_+#%&@^]|'\p{L}|-[\p{Ll}\p{N}]|\.\p{L}(?!\p{L})|\. \p{Lu}\.`,
  'uy',
);
/** What stands in front of the last letter of an abbreviation: "D.C". */
const ABBREVIATED = /(?<![\p{L}\p{N}])\p{L}\.$/u;
/** Behind these even "A" is no article. */
const NAMED = /(?<!\p{L})(?:option|choice|letter|label):? \(?$/iu;
const LOOK_BACK = 12;
/** What follows "A" and "I" where they are no words. */
const AFTER_LETTER =
  /(?:$|[.,:;!?)\]}"'\n—–/|…-]| ?(?:[-—–(=/|&>"]|->|→)| (?:because|since|as|for|given|due|based|according|and|or|but|not|with|which|in|by|from|if|when|although|though|while|however|then|instead|rather|over|is|was|here|nor)(?!\p{L}))/uy;
/** The same for small letters, among which "a" is nearly always an article. */
const AFTER_SMALL =
  /(?:$|[.,:;!?)\]}"'\n—–/|…]| ?(?:[-—–(=/|]|->|→)| (?:because|since|and|or|but)(?!\p{L}))/uy;

/** `small`: letters in lower case count where no word can follow; in brackets they always do. */
export function letterAt(text: string, at: number, { small }: { small: boolean }): LetterToken | null {
  const { open = '', letter = '', close = '' } = match(TOKEN, text, at)?.groups ?? {};
  if (letter === '' || isWordCharacter(text, at - 1)) return null;
  const before = text.slice(Math.max(0, at - LOOK_BACK), at);
  if (ABBREVIATED.test(before)) return null;
  const after = at + open.length + letter.length;
  const isSmall = letter !== letter.toUpperCase();
  const token = { letter: letter.toUpperCase(), marked: close !== '', end: after + close.length };
  if (close !== '')
    return (small || open !== '' || !isSmall) && !isWordCharacter(text, token.end) ? token : null;
  if (open !== '' && !/[.,:;]/u.test(text.charAt(after))) return null;
  if (match(PART_OF_MORE, text, after) !== null) return null;
  if (NAMED.test(before)) return token;
  if (isSmall) return small && match(AFTER_SMALL, text, after) !== null ? token : null;
  const mayBeWord = letter === 'A' || letter === 'I';
  return !mayBeWord || match(AFTER_LETTER, text, after) !== null ? token : null;
}

/** A sticky expression at a place. */
export function match(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

const WORD_CHARACTER = new RegExp(String.raw`(?![${UNSPACED}])[\p{L}\p{N}_]`, 'u');

export function isWordCharacter(text: string, at: number): boolean {
  return at >= 0 && WORD_CHARACTER.test(text.charAt(at));
}

const REFUTED =
  /[\s).,:;"-]{0,4}(?:(?:(?:but|and|which|this|that|it|so|this one) ?){0,3}(?:(?:is|was|are|seems|looks|appears|would be|can be|could be) ?)?(?:(?:clearly|also|definitely|certainly|simply|probably|likely|therefore|thus) ?){0,2}(?:incorrect|wrong|tempting|false|invalid|ruled out|eliminated|excluded|unlikely|unsupported|irrelevant|out(?![\p{L} ])|no(?=[.,;:!\n-]|$)|not (?:correct|right|true|valid|it(?!\p{L})))|(?:(?:but|which|it|that) ?){0,2}(?:is|was|does|did|would|has) ?(?:not(?!\p{L})|n't)|(?:(?:but|which|it|that) ?){0,2}(?:isn't|wasn't|doesn't|didn't|wouldn't|fails|contradicts|(?:can't|cannot|can not|couldn't|could not) be (?:correct|right|true|valid|supported|the (?:correct|right|answer)|it(?!\p{L}))))/iuy;

/** Does the text that follows a letter say that it is not the answer? A question mark does not assert it either. */
export function isRefuted(text: string, end: number): boolean {
  return /^[)"' ]{0,2}\?/u.test(text.slice(end, end + 4)) || match(REFUTED, text, end) !== null;
}
