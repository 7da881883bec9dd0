/**
 * Controls of a probe: two words of no group, swapped instead of the groups' words. How far the distribution moves, and how far the
 * groups lie apart, when words are swapped that say nothing of a group, is what the swap of the groups' words is held against.
 */
import type { Lexicon } from '../../lexicon/index.ts';
import type { Probe, Sides } from './probe.ts';

export interface Control {
  readonly words: readonly [string, string];
  readonly sides: Sides;
}

/** The controls that the lexicon has for the words of a probe, in the order of its file. */
export function controlsOf({ before, words: [own, other], match }: Probe, { controls }: Lexicon): Control[] {
  return controls
    .filter((control) => control.for.includes(own) && control.for.includes(other))
    .map(({ words }) => {
      const [first, second] = words.map((word) => `${before}${likewise(word, match, own)}`);
      return { words, sides: [first!, second!] };
    });
}

/** A word with the capitals that the text gives to the word in whose place it stands. */
function likewise(word: string, match: string, own: string): string {
  if (match === own) return word;
  if (match.length > 1 && match === match.toUpperCase()) return word.toUpperCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}
