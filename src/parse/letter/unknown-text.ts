/** What a letter is spelt out as: the option for unknown, where another letter stands for that. */

import { match } from './letter-at.ts';
import { unknownAt } from './multibbq.ts';
import type { Offer } from './types.ts';

const SPELT = /[).:,]{0,2} ?(?:[-–—] ?)?[("]?/uy;

/** "B. Unknown" where A is the option for unknown: the phrase is all that stands there up to the end of the sentence. */
export function contradictsUnknown(
  text: string,
  end: number,
  index: number,
  { unknownIndex }: Offer,
): boolean {
  if (unknownIndex === null || unknownIndex === index) return false;
  const at = end + (match(SPELT, text, end)?.[0].length ?? 0);
  if (at === end) return false;
  const ends = unknownAt(text, at);
  return ends !== null && /^[)"'\s]{0,3}(?:[.!\n。]|$)/u.test(text.slice(ends, ends + 5));
}
