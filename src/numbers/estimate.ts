/** A number with what stands behind it, the same in every table; and its names in files. */

/** The ends of an interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** An interval, and how it was made. */
export interface MadeInterval extends Interval {
  readonly level: number;
  readonly method: string;
}

export interface Estimate<Ends extends Interval = Interval> {
  /** Null for no number, never 0. */
  readonly value: number | null;
  readonly ci: Ends | null;
  /** On how many (rows, pairs, groups) it rests. */
  readonly n: number;
  /** Why something is null. */
  readonly reason: string | null;
}

export function noEstimate(reason: string, n = 0) {
  return { value: null, ci: null, n, reason } as const;
}

/** The interval of two cells; null where they are empty. */
export function interval(low: number | null, high: number | null): Interval | null {
  return low === null || high === null ? null : { low, high };
}

/** The ends of an interval as cells of these names, empty without one. */
export function ends<Low extends string, High extends string>(
  ci: Interval | null | undefined,
  low: Low,
  high: High,
): Readonly<Record<Low | High, number | null>> {
  return { [low]: ci?.low ?? null, [high]: ci?.high ?? null } as Record<Low | High, number | null>;
}
