/**
 * The bigram table: how likely each token is after each word, whatever else the sentence says. A level by parts of
 * speech makes sentences look like sentences; a jitter drawn from the pair of words makes rows differ. All values
 * are multiples of 1/64, so float32 holds them exactly.
 */

import { jitter } from './hash.ts';
import type { Token } from './vocabulary.ts';
import type { PartOfSpeech, Word } from './words.ts';

/** What a context may end in, as far as the table can tell: the start of the text, a word, or a lesser piece. */
export type Context = 'start' | 'piece' | Word;

type Row = Readonly<Partial<Record<PartOfSpeech, number>>>;

/** Level where a row of {@link LEVELS} names none. */
const UNLIKELY = -4;
/** Level of what is no word: bytes, beginnings of words, special tokens. */
const NO_WORD = -16;
/** Cost of a form that does not suit its place, such as a capital inside a sentence. */
const WRONG_FORM = 8;
/** What a gender word adds to the words of its own gender, and takes from the other's. */
const AGREEMENT = 0.5;
/** Level of the end of the text after a full stop. */
const END_AFTER_STOP = 2;

const SENTENCE_START: Row = { article: 4, subject: 4, possessive: 2, title: 1, person: -1 };

/**
 * Natural-log levels by part of speech, from -> to. Right after a gender word the gender words keep a good part of
 * the mass: that is the step at which an audit looks.
 */
const LEVELS: Readonly<Record<PartOfSpeech | 'start' | 'piece', Row>> = {
  start: SENTENCE_START,
  stop: SENTENCE_START,
  comma: { conjunction: 3, subject: 3, article: 2, possessive: 2, title: 1 },
  piece: { article: 1, verb: 1, conjunction: 1, stop: 2, comma: 1 },
  article: { noun: 3, occupation: 1, person: 1, adjective: 1 },
  conjunction: { subject: 5, article: 3, possessive: 3, person: 0, title: 0, verb: 0 },
  verb: { conjunction: 3, article: 3, preposition: 2, adjective: 2, possessive: 2, object: 2, stop: 1 },
  preposition: { article: 3, possessive: 3, object: 3, noun: 1, reflexive: 1, person: 0 },
  adjective: { stop: 3, conjunction: 2, noun: 2, preposition: 1, person: 0 },
  noun: { verb: 3, stop: 3, conjunction: 2, preposition: 2, comma: 1 },
  occupation: { verb: 3, conjunction: 2, preposition: 1, stop: 1, comma: 1 },
  subject: { verb: 3, reflexive: 4, possessive: 3, subject: 2, person: 0, adjective: 0, stop: 0 },
  possessive: { noun: 3, person: 2, reflexive: 1, adjective: 1, object: 1, stop: 0 },
  object: { stop: 3, conjunction: 3, preposition: 2, reflexive: 2, possessive: 2, subject: 2 },
  reflexive: { stop: 3, conjunction: 3, verb: 2, subject: 2, possessive: 2 },
  person: { verb: 3, conjunction: 2, subject: 4, possessive: 3, stop: 2, preposition: 1, comma: 1 },
  title: { verb: 2, person: 1, noun: 0, possessive: 1, subject: 1 },
};

/** The planted logit of `next` after `context`: a multiple of 1/64 in [-32, 32]. */
export function bigramLogit(seed: number, context: Context, next: Token): number {
  const from = typeof context === 'string' ? context : context.part;
  // All occupations share one row: which of them it is shall act through the attention head alone.
  const fromKey =
    typeof context === 'string' ? `<${context}>` : from === 'occupation' ? '<occupation>' : context.text;
  if (next.word === null) {
    if (next.text === '</s>' && from === 'stop') return END_AFTER_STOP;
    return NO_WORD + jitter(`${seed}|${fromKey}|${next.text}`);
  }
  const level = LEVELS[from][next.word.part] ?? UNLIKELY;
  const form = suits(from, next) ? 0 : -WRONG_FORM;
  return level + form + agreement(context, next.word) + jitter(`${seed}|${fromKey}|${next.word.key}`);
}

/** Sentences begin with a capital, texts without a space; titles and punctuation have one form for all places. */
function suits(from: PartOfSpeech | 'start' | 'piece', { word, form }: Token): boolean {
  if (word?.part === 'stop' || word?.part === 'comma') return true;
  if (form.spaced !== (from !== 'start')) return false;
  return word?.part === 'title' || form.capital === (from === 'start' || from === 'stop');
}

function agreement(context: Context, next: Word): number {
  if (typeof context === 'string' || context.gender === null || next.gender === null) return 0;
  return context.gender === next.gender ? AGREEMENT : -AGREEMENT;
}
