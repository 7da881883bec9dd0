/** p-values of one table, adjusted for their number. */
import { benjaminiHochberg, holm } from '../numbers/index.ts';

export interface Adjusted {
  /** By Holm's method. */
  readonly pHolm: number | null;
  /** By the method of Benjamini and Hochberg. */
  readonly pBH: number | null;
}

/** The p-values that there are, each adjusted; the others stay null. */
export function adjustAll(pValues: readonly (number | null)[]): Adjusted[] {
  const there = Float64Array.from(pValues.filter((p) => p !== null));
  const [byHolm, byBH] = [holm(there).values(), benjaminiHochberg(there).values()];
  return pValues.map((p) =>
    p === null ? { pHolm: null, pBH: null } : { pHolm: byHolm.next().value!, pBH: byBH.next().value! },
  );
}
