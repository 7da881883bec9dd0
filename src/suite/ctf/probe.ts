/** The probe of a row: both texts up to the end of their first lexicon word. */
import { findSpan, type Lexicon } from '../../lexicon/index.ts';
import type { Fields } from '../fields.ts';
import type { CtfRow } from './row.ts';

export interface Probe {
  readonly prefix: string;
  readonly prefixSwap: string;
  /** What goes into the row's result. */
  readonly note: Fields;
}

/** Or what a skipped row is told. */
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
