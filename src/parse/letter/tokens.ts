/** A text as words, letters of options, signs and borders: one pass, a token never looked at again by its characters. */
import { PARTS } from './languages/language.ts';
import { type LetterToken, letterAt } from './letter-at.ts';
import { dictionaryOf, isUnspaced, wordAt } from './lexicon.ts';
import { optionAt } from './option-text.ts';
import type { Offer } from './types.ts';

export type Kind =
  | 'word'
  /** A letter on its own, of an option or not. */
  | 'letter'
  /** The text of an option. */
  | 'option'
  /** Ends a sentence. */
  | 'stop'
  | 'newline'
  | 'comma'
  /** Colon, equals, arrow, dash. */
  | 'sign'
  | 'bracket';

export interface Token {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** {@link PARTS} */
  readonly parts: number;
  readonly letter: LetterToken | null;
  /** Of an option's text. */
  readonly index: number | null;
}

const STOPS = new Set('.!?;…。؟؛।');
const COMMAS = new Set(',、،');
const SIGNS = new Set(':=→⇒-–—|');
const BRACKETS = new Set('()[]{}<>"「」『』【】《》〈〉');

/** In lower case, as long as the text: a character whose lower case is longer stays as it is. */
export function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/[^\n]/gu, (character) => {
    const small = character.toLowerCase();
    return small.length === character.length ? small : character;
  });
}

export function tokensOf(text: string, offer: Offer): Token[] {
  const lower = lowerOf(text);
  const lookUp = dictionaryOf(lower);
  const tokens: Token[] = [];
  const push = (kind: Kind, start: number, end: number, more: Partial<Token> = {}) =>
    tokens.push({ kind, start, end, parts: 0, letter: null, index: null, ...more });
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    if (character === '\n') push('newline', at, at + 1);
    if (character === '\n' || character === ' ') {
      at += 1;
      continue;
    }
    const kind = kindOf(text, at);
    if (kind !== null && kind !== 'bracket' && kind !== 'word') {
      push(kind, at, at + 1);
      at += 1;
      continue;
    }
    const letter = letterAt(text, at, offer);
    if (letter !== null && isLetter(letter, lookUpAt(letter.end), text)) {
      push('letter', at, letter.end, { letter });
      at = letter.end;
      continue;
    }
    const opens =
      offer.options.length > 0 && /[\p{L}\p{N}]/u.test(text.slice(at, at + 2)) && !wordGoesOn(text, at);
    const option = opens ? optionAt(text, at, offer) : null;
    if (option !== null) {
      push('option', at, option.end, { index: option.index });
      at = option.end;
      continue;
    }
    const word = wordAt(lower, at);
    const phrase = lookUp(at, word);
    if (phrase !== null || isInverted(word, tokens.at(-1))) {
      const { text: own, parts } = phrase ?? { text: word, parts: PARTS.cond };
      push('word', at, at + own.length, { parts: isInverted(word, tokens.at(-1)) ? PARTS.cond : parts });
      at += own.length;
    } else if (word !== '') {
      const elided = /^(?:[lndsjmtc]|qu)'(?=\p{L})/u.exec(word)?.[0] ?? '';
      const own = elided === '' ? word : elided;
      const parts = word.endsWith("n't") ? PARTS.not : elided === "n'" ? PARTS.not : 0;
      push('word', at, at + own.length, { parts });
      at += own.length;
    } else {
      if (kind !== null) push(kind, at, at + 1);
      at += 1;
    }
  }
  return tokens;

  function lookUpAt(at: number): number | null {
    const next = text.charAt(at) === ' ' ? at + 1 : at;
    if (next >= text.length) return null;
    const word = wordAt(lower, next);
    return lookUp(next, word)?.parts ?? null;
  }
}

/** "Had the text named him, ...": a condition without a word for "if". */
function isInverted(word: string, before: Token | undefined): boolean {
  return (word === 'had' || word === 'were') && endsSentence(before);
}

function wordGoesOn(text: string, at: number): boolean {
  if (at === 0 || isUnspaced(text, at)) return false;
  return /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && !isUnspaced(text, at - 1);
}

function kindOf(text: string, at: number): Kind | null {
  const character = text.charAt(at);
  if (character === '.' && /\d/u.test(text.charAt(at + 1)) && /\d/u.test(text.charAt(at - 1))) return null;
  if (STOPS.has(character)) return 'stop';
  if (COMMAS.has(character)) return 'comma';
  if (SIGNS.has(character)) return 'sign';
  if (BRACKETS.has(character)) return 'bracket';
  // A character that is no word of ours says something all the same.
  return isUnspaced(text, at) ? 'word' : null;
}

const BEHIND_WORD_LETTER = PARTS.be | PARTS.not | PARTS.but | PARTS.so | PARTS.join;

/** What may be an article ("A", "O") is a letter where what follows says so; so is one in front of unparted writing. */
function isLetter(letter: LetterToken, next: number | null, text: string): boolean {
  const follows = text.charAt(letter.end) === ' ' ? letter.end + 1 : letter.end;
  if (!letter.marked && isUnspaced(text, letter.end)) return next !== null && next !== 0;
  if (!letter.mayBeWord) return true;
  if (isUnspaced(text, follows) || /^it is(?!\p{L})/iu.test(text.slice(follows, follows + 6))) return true;
  if (next === null) return false;
  if (next & PARTS.join)
    return /^\p{L}{1,4} (?:\p{L}{1,10} )?\(?[A-Z]\)?(?![\p{L}])/u.test(text.slice(follows, follows + 24));
  if (next & BEHIND_WORD_LETTER) return letter.letter === 'A' || (next & PARTS.be) !== 0;
  return (
    (next & PARTS.since) !== 0 && (letter.letter === 'A' || letter.letter === 'I') && isGround(text, follows)
  );
}

/** Not a preposition or relative that an article may stand in front of: "A que trabalha". */
function isGround(text: string, at: number): boolean {
  const word = wordAt(text, at).toLowerCase();
  return (
    word.length >= 5 ||
    /^(?:as|for|due|given|with|in|by|from|if|when|over|car|weil|denn|da|bo|want)$/u.test(word)
  );
}

export const isBorder = (token: Token | undefined): boolean => endsSentence(token) || token?.kind === 'comma';
export const endsSentence = (token: Token | undefined): boolean =>
  token === undefined || token.kind === 'stop' || token.kind === 'newline';
export const isNamed = ({ kind }: Token): boolean => kind === 'letter' || kind === 'option';
