/**
 * A text of known words as token ids, by looking up whole words: what llama.cpp's tokenizer gives for such texts, found
 * without it, so that planted values need no engine.
 */

import { AuditError } from '../../errors.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A word with the space in front of it, if any, its title's full stop included; or one punctuation mark. */
const WORD = / ?(?:M(?:rs?|s)\.|[\p{L}-]+)|[.,?!]/gu;

/** Token ids of the text, BOS first. Throws when a word is unknown to the model. */
export function contextTokens(vocabulary: Vocabulary, text: string): Int32Array {
  const pieces = text.match(WORD) ?? [];
  if (pieces.join('') !== text) {
    throw new AuditError('row_invalid', `not a text of plain words: ${JSON.stringify(text)}`, { text });
  }
  const ids = pieces.map((piece) => {
    const id = vocabulary.find(piece);
    if (id === null || vocabulary.tokens[id]?.word === null) {
      throw new AuditError(
        'row_invalid',
        `the planted model does not know ${JSON.stringify(piece)} as one word, in ${JSON.stringify(text)}`,
        { text, piece },
      );
    }
    return id;
  });
  return Int32Array.of(vocabulary.bos, ...ids);
}
