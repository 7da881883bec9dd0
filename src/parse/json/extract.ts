/** The JSON that a model was asked for, out of the text that it wrote. */
import { choose } from './choose.ts';
import type { JsonAnswer, JsonOptions } from './types.ts';

/**
 * Reads the one object or array that is the answer in a text. Any text gives an answer or a fault, in time that grows
 * with its length. Thoughts, prose, fences and what follows the end of the turn are left aside; what is taken is in the
 * text, but for the spelling of {@link REPAIRS}. Scalars are no answer.
 */
export function extractJson(text: string, options: JsonOptions = {}): JsonAnswer {
  return choose(text, options);
}
