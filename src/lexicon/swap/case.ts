/** The case of a word carried over to its partner. */
import { capitalise } from '../words.ts';

/**
 * `partner` in the case in which the text spells `word` as `match`: "She" gives "He", "SHE" "HE", "Step Mother" "Step
 * Father". A mixture that is neither the lexicon's nor one of these gives the partner as the lexicon spells it.
 */
export function likeMatch(match: string, word: string, partner: string): string {
  if (match === word) return partner;
  const lower = match.toLowerCase();
  if (match === lower) return partner.toLowerCase();
  const letters = match.match(/\p{L}/gu)?.length ?? 0;
  if (letters > 1 && match === match.toUpperCase()) return partner.toUpperCase();
  if (match === capitaliseEach(lower) && lower.includes(' ')) return capitaliseEach(partner);
  return match === capitalise(lower) ? capitalise(partner) : partner;
}

function capitaliseEach(words: string): string {
  return words.split(' ').map(capitalise).join(' ');
}
