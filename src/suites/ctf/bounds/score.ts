/** What the lists of a row prove: bounds, under names that say so. Exact numbers there are none. */

import type { Fields } from '../../../contract/metric.ts';
import { type Lexicon, massName, surfaceForms } from '../../../lexicon/index.ts';
import {
  type BoundColumns,
  listedGroup,
  listedPairMetricsSync,
  listedRowMetricsSync,
  listedRows,
  TokenNumbers,
} from '../../../numbers/index.ts';
import type { ListedStep } from '../../../observation/observation.ts';

/** The texts that count as a group's tokens. */
export function groupTexts({ groups }: Lexicon, capitalised: boolean): ReadonlySet<string>[] {
  return groups.map(({ words }) => new Set(words.flatMap((word) => surfaceForms(word, capitalised))));
}

/** The bounds of a number: { lower, upper }. */
function boundsAt({ lower, upper }: BoundColumns, at: number): Fields {
  return { lower: lower[at]!, upper: upper[at]! };
}

/** `steps` are those after x and after its swap. */
export function scoreLists(
  steps: readonly [ListedStep, ListedStep],
  lexicon: Lexicon,
  texts: readonly ReadonlySet<string>[],
): Fields {
  const numbers = new TokenNumbers();
  const groups = texts.map((own) => listedGroup(steps, own, numbers));
  const { masses, gap, rest } = listedRowMetricsSync(listedRows(steps, numbers), { groups });
  const [x, swap] = steps.map((step) => listedRows([step], numbers));
  const { jsd } = listedPairMetricsSync(x!, swap!);
  const sides = ['', 'Swap'].map((suffix, side) => ({
    ...Object.fromEntries(
      lexicon.groups.map(({ name }, group) => [
        massName(name, suffix),
        boundsAt(masses, side * groups.length + group),
      ]),
    ),
    [`gap${suffix}`]: boundsAt(gap, side),
    [`rest${suffix}`]: boundsAt(rest, side),
    [`listed${suffix}`]: steps[side]!.tokens.length,
  }));
  return { ...sides[0], ...sides[1], jsdSwap: boundsAt(jsd, 0) };
}
