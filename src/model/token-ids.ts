/** Token ids that a caller gives, checked before they become 32 bits wide and a wrong one becomes a right one. */
import { AuditError } from '../errors.ts';
import { inPlace } from '../native/memory.ts';

/** Throws `out_of_range` for what is no whole number in [0, vocabSize), and `bad_argument` for a detached array. */
export function tokenIds(tokens: ArrayLike<number>, vocabSize: number): Int32Array {
  inPlace({ tokens });
  return Int32Array.from(tokens, (token, index) => {
    if (Number.isInteger(token) && token >= 0 && token < vocabSize) return token;
    throw new AuditError(
      'out_of_range',
      `tokens[${index}] is ${token}, and the model's vocabulary has the ids 0 to ${vocabSize - 1}`,
      { index, token, vocabSize },
    );
  });
}
