/**
 * The planted model's vocabulary, of the SentencePiece kind that llama.cpp calls "llama": three special tokens, the 256
 * bytes, and pieces. Every word has all its beginnings as pieces ("▁n", "▁nu", ... "▁nurse"), so the merges climb to
 * the whole word. All pieces with a leading space have one score, all others a lower one; among equal scores
 * llama.cpp takes the leftmost merge, so no piece inside a word ("he" in "mother") can get in the way.
 */

import type { Occupation } from './occupations.ts';
import { FIXED_WORDS, isPunctuation, type Word } from './words.ts';

/** A space, as SentencePiece writes it. */
export const SPACE = '\u2581';

/** How a token writes its word: after a space or not, and with a capital or not. */
export interface Form {
  readonly spaced: boolean;
  readonly capital: boolean;
}

export interface Token {
  readonly id: number;
  /** Piece as stored, a leading space as "▁". */
  readonly text: string;
  /** The word that the token is the whole of; null for special tokens, bytes and beginnings of words. */
  readonly word: Word | null;
  readonly form: Form;
}

export interface Vocabulary {
  /** V tokens, by id. */
  readonly tokens: readonly Token[];
  /** V scores, as llama.cpp's merges read them. */
  readonly scores: Float32Array;
  /** V token types of the file format: 1 normal, 2 unknown, 3 control, 6 byte. */
  readonly types: Int32Array;
  readonly unknown: number;
  readonly bos: number;
  readonly eos: number;
  /** The words, each once; the occupations come last, in the order given. */
  readonly words: readonly Word[];
  /** Id of the token with this text (a leading space may be written " " or "▁"), or null. */
  find(text: string): number | null;
}

const TYPE = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;
const SCORE_SPACED = -1;
const SCORE_BARE = -2;
const PLAIN: Form = { spaced: false, capital: false };

/** The vocabulary of the fixed words and these occupations. */
export function buildVocabulary(occupations: readonly Occupation[]): Vocabulary {
  const words: readonly Word[] = [
    ...FIXED_WORDS,
    ...occupations.map(({ word }): Word => ({ text: word, part: 'occupation', gender: null, key: word })),
  ];
  const tokens: Token[] = [];
  const scores: number[] = [];
  const types: number[] = [];
  const ids = new Map<string, number>();
  const add = (text: string, type: number, score: number, word: Word | null, form: Form): void => {
    const id = ids.get(text) ?? tokens.length;
    ids.set(text, id);
    tokens[id] = { id, text, word, form };
    scores[id] = score;
    types[id] = type;
  };

  add('<unk>', TYPE.unknown, 0, null, PLAIN);
  add('<s>', TYPE.control, 0, null, PLAIN);
  add('</s>', TYPE.control, 0, null, PLAIN);
  for (let byte = 0; byte < 256; byte++) {
    add(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`, TYPE.byte, 0, null, PLAIN);
  }
  add(SPACE, TYPE.normal, SCORE_SPACED, null, { spaced: true, capital: false });

  for (const word of words) {
    for (const form of formsOf(word)) {
      const letters = [...((form.spaced ? SPACE : '') + (form.capital ? capitalised(word.text) : word.text))];
      const score = form.spaced ? SCORE_SPACED : SCORE_BARE;
      for (let length = 2; length < letters.length; length++) {
        const beginning = letters.slice(0, length).join('');
        // A beginning may be a word of its own ("▁he" of "▁her"): leave that be.
        if (!ids.has(beginning)) add(beginning, TYPE.normal, score, null, form);
      }
      add(letters.join(''), TYPE.normal, score, word, form);
    }
  }

  return {
    tokens,
    scores: Float32Array.from(scores),
    types: Int32Array.from(types),
    unknown: 0,
    bos: 1,
    eos: 2,
    words,
    find: (text) => ids.get(text.replace(/^ /, SPACE)) ?? null,
  };
}

/**
 * The forms a word has tokens for. Gender words have all four, since each is a surface form of a word group; other
 * words have the ones that sentences need.
 */
function formsOf(word: Word): readonly Form[] {
  const spaced = { spaced: true, capital: false };
  if (isPunctuation(word)) return [PLAIN];
  if (word.part === 'title') return [spaced, PLAIN];
  if (word.gender !== null)
    return [spaced, { spaced: true, capital: true }, PLAIN, { spaced: false, capital: true }];
  if (word.part === 'article') {
    return [spaced, { spaced: true, capital: true }, { spaced: false, capital: true }];
  }
  return [spaced];
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
