/** A row of counterfactual data: a text, the same text with the lexicon's words swapped, and what it is about. */
import { z } from 'zod';
import { optionalText, rowId } from '../../contract/columns.ts';

export const ctfRow = z.looseObject({
  id: rowId.nullish(),
  x: z.string().min(1),
  x_swap: z.string().min(1),
  occupation: optionalText,
  category: optionalText,
  /** The sentence without its occupation, by whatever name: rows of one template are not independent. */
  template: optionalText,
});
export type CtfRow = z.output<typeof ctfRow>;

/** What says the clusters of a pair of texts. */
type Pair = Pick<CtfRow, 'x' | 'x_swap' | 'occupation' | 'template'>;

/** Two ways: by template and by occupation. */
export function clustersOf(pair: Pair): {
  readonly template: string | null;
  readonly occupation: string | null;
} {
  return { template: templateOf(pair), occupation: pair.occupation };
}

/**
 * The template of a row: its column, else its texts with the occupation taken out, in the order in which either side gives the
 * same; null where the text does not name its occupation.
 */
function templateOf({ x, x_swap, occupation, template }: Pair): string | null {
  if (template != null || occupation == null || occupation.trim() === '') return template ?? null;
  const escaped = occupation.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // The article is the occupation's own: a nurse, an engineer.
  const word = new RegExp(`(?:\\b(?:a|an)\\s+)?(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
  const bare = [x, x_swap].map((text) => text.replace(word, '{}'));
  return bare[0] === x ? null : bare.sort().join(' / ');
}
