/** The probe of a row: both texts up to the end of their first lexicon word. */

import type { Fields } from '../../contract/metric.ts';
import type { SuiteContext } from '../../contract/suite.ts';
import { findSpan, type Lexicon } from '../../lexicon/index.ts';
import type { ObserveRequest } from '../../observation/observation.ts';
import type { ObservedPair, ObservedRequest, ObservedStep } from '../../observation/observed.ts';
import type { CtfRow } from '../shared/swapped-pair.ts';
import type { CtfOptions } from './options.ts';
import { wholeWordMasses, wholeWordRequests } from './whole-words.ts';

type Context = SuiteContext<CtfOptions>;

export interface Probe {
  readonly prefix: string;
  readonly prefixSwap: string;
  /** The text of x in front of its word. */
  readonly before: string;
  /** The words as the lexicon spells them, and that of x as the text does. */
  readonly words: readonly [word: string, wordSwap: string];
  readonly match: string;
  readonly groups: readonly [group: string, groupSwap: string];
  /** What goes into the row's result. */
  readonly note: Fields;
}

/** Or why the row is skipped. */
export function probeOf(row: CtfRow, lexicon: Lexicon): Probe | string {
  const x = findSpan(lexicon, row.x);
  const swap = findSpan(lexicon, row.x_swap);
  if (!x || !swap) {
    const where = x ? 'x_swap has' : swap ? 'x has' : 'x and x_swap have';
    return `${where} no word of lexicon ${lexicon.name}`;
  }
  const prefix = row.x.slice(0, x.end);
  const prefixSwap = row.x_swap.slice(0, swap.end);
  return {
    prefix,
    prefixSwap,
    before: row.x.slice(0, x.start),
    words: [x.word, swap.word],
    match: x.match,
    groups: [x.group, swap.group],
    note: {
      probePrefix: prefix,
      probePrefixSwap: prefixSwap,
      word: x.match,
      wordGroup: x.group,
      wordSwap: swap.match,
      wordGroupSwap: swap.group,
    },
  };
}

/** Two texts, of which the step behind each is compared. */
export type Sides = readonly [text: string, textSwap: string];

/** What is asked of two texts: their next tokens, and with whole words the words themselves. */
export function sideRequests(sides: Sides, { mapping, options: { wholeWords } }: Context): ObserveRequest[] {
  const [text, textSwap] = sides;
  const words = wholeWords ? sides.map((side) => wholeWordRequests(side, mapping!)) : [];
  return [{ kind: 'pair', text, textSwap }, ...words.flat()];
}

export interface ObservedSides {
  readonly request: ObservedRequest;
  readonly steps: readonly [x: ObservedStep, swap: ObservedStep];
  readonly pair: ObservedPair;
}

/** The next of what {@link sideRequests} asked; with whole words the masses are those of words. */
export function readSides(
  observed: Iterator<ObservedRequest>,
  sides: Sides,
  context: Context,
): ObservedSides {
  const { mapping, options } = context;
  const next = () => observed.next().value as ObservedRequest;
  const request = next();
  const [x, swap] = sides.map((side, at) => {
    const step = request.steps[at]!;
    if (!options.wholeWords) return step;
    const own = wholeWordRequests(side, mapping!).map(next);
    return { ...step, masses: wholeWordMasses(side, mapping!, own) };
  });
  return { request, steps: [x!, swap!], pair: request.pairs[0]! };
}
