/**
 * Words of an English text with their parts of speech, by wink-nlp and its small model. Both are loaded when a text
 * first needs them (some 0.2 s): most uses of a lexicon never do.
 */
import { createRequire } from 'node:module';
import type { ItsFunction, PartOfSpeech, WinkMethods } from 'wink-nlp';

/** A word or a sign of a text: where it stands, in lower case, its dictionary form, its part of speech (Universal POS). */
export interface TaggedWord {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly lemma: string;
  readonly tag: PartOfSpeech;
}

/** Signs of markup around words: "[her] idea", "*her* idea". */
const MARKUP = /[[\]*]|_{1,2}(?=\p{L})|(?<=\p{L})_{1,2}/gu;

/**
 * The tagger numbers every spelling that it meets and keeps it, in 20 bits; so it starts anew long before these are
 * used up (0.1 s), which also bounds its memory. What it says of a text does not depend on the texts before.
 */
const WORDS_PER_LOAD = 300_000;

let loaded: WinkMethods | null = null;
let wordsSeen = 0;

/** The words and signs of `text`, in order, without those of markup. */
export function tagWords(text: string): TaggedWord[] {
  if (loaded === null || wordsSeen > WORDS_PER_LOAD) {
    loaded = load();
    wordsSeen = 0;
  }
  const { its } = loaded;
  // As many spaces, so that every word stays where it is.
  const bare = text.replace(MARKUP, (signs) => ' '.repeat(signs.length));
  const tokens = loaded.readDoc(bare).tokens();
  const list = <T>(what: ItsFunction<T>): T[] => tokens.out(what) as T[];
  // Its type lacks what its own types ask of such a function.
  const lemmas = list(its.lemma as ItsFunction<string>);
  const tags = list(its.pos);
  wordsSeen += tags.length;
  const words: TaggedWord[] = [];
  let from = 0;
  for (const [index, value] of tokens.out().entries()) {
    const start = bare.indexOf(value, from);
    // The tagger gives no places, and may spell a sign otherwise than the text does.
    if (start < 0) continue;
    from = start + value.length;
    const spelt = value.toLowerCase();
    const word = { start, end: from, text: spelt, lemma: lemmas[index]!, tag: tags[index]! };
    // "in." is an inch to the tagger; in a sentence it ends one far more often.
    words.push(spelt === 'in.' ? { ...word, text: 'in', lemma: 'in', tag: 'ADP' } : word);
  }
  return words;
}

function load(): WinkMethods {
  const require = createRequire(import.meta.url);
  const wink = require('wink-nlp') as typeof import('wink-nlp').default;
  const model = require('wink-eng-lite-web-model') as typeof import('wink-eng-lite-web-model').default;
  return wink(model, ['pos']);
}
