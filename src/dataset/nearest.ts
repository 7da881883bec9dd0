/** Names of columns that were found, and which of them may be the one that is missing. */
import { quoteForMessage } from './row.ts';

const SHOWN = 12;
const LONGEST = 64;

/** "found: "id", "sent more"; did you mean "sent more"?": for messages about `missing`. */
export function foundInstead(missing: readonly string[], found: readonly string[]): string {
  if (found.length === 0) return 'no column was found';
  const more = found.length - SHOWN;
  const shown = found.slice(0, SHOWN).map(quoteForMessage).join(', ');
  const near = [...new Set(missing.flatMap((name) => nearest(name, found) ?? []))];
  const meant = near.length === 0 ? '' : `; did you mean ${near.map(quoteForMessage).join(' and ')}?`;
  return `found: ${shown}${more > 0 ? ` and ${more} more` : ''}${meant}`;
}

/** The found name that is `name` but for case, spaces and signs, or for a slip or two; null without one. */
function nearest(name: string, found: readonly string[]): string | null {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const same = found.find((other) => plain(other) === plain(name));
  if (same !== undefined) return same;
  const slips = Math.min(2, Math.floor(name.length / 4));
  const close = found
    .filter((other) => other.length <= LONGEST)
    .map((other) => ({ other, distance: distanceOf(plain(name), plain(other)) }))
    .filter(({ distance }) => distance <= slips)
    .sort((one, other) => one.distance - other.distance);
  return close[0]?.other ?? null;
}

/** Levenshtein's: letters to put in, take out or change. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1) {
      next.push(Math.min(next[to]! + 1, row[to + 1]! + 1, row[to]! + Number(letter !== other[to])));
    }
    row = next;
  }
  return row[other.length]!;
}
