/** How many answers were read, by tier: the gate that a run must pass before its tables mean anything. */
import { ends } from '../../../numbers/estimate.ts';
import { wilson } from '../../../numbers/index.ts';
import type { CsvColumn, Row } from '../../../report/index.ts';
import type { Prediction } from './predictions.ts';

/** All tiers together, rows without one too. */
export const ALL_TIERS = 'all';

export interface TierSuccess extends Row {
  /** `all`, or a tier. */
  readonly tier: string;
  /** Does the scale have a tier of this name? Null for `all` and for a scale without tiers. */
  readonly known: boolean | null;
  readonly rows: number;
  /** Rows without an error. */
  readonly parsed: number;
  /** parsed / rows, 0 to 1, with Wilson's interval. */
  readonly parse_success: number;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
}

export const SUCCESS_COLUMNS: readonly CsvColumn[] = [
  'tier',
  'known',
  'rows',
  'parsed',
  'parse_success',
  'ci_low',
  'ci_high',
].map((key) => ({ key }));

interface Count {
  rows: number;
  parsed: number;
}

export class SuccessTally {
  readonly #all: Count = { rows: 0, parsed: 0 };
  readonly #tiers = new Map<string, Count>();
  readonly #kinds = new Map<string, number>();

  add({ tier, error, errorKind }: Pick<Prediction, 'tier' | 'error' | 'errorKind'>): void {
    const counts = [this.#all];
    if (tier !== null) {
      const count = this.#tiers.get(tier) ?? { rows: 0, parsed: 0 };
      this.#tiers.set(tier, count);
      counts.push(count);
    }
    for (const count of counts) {
      count.rows += 1;
      if (error === null) count.parsed += 1;
    }
    if (errorKind !== null) this.#kinds.set(errorKind, (this.#kinds.get(errorKind) ?? 0) + 1);
  }

  get rows(): number {
    return this.#all.rows;
  }

  get parsed(): number {
    return this.#all.parsed;
  }

  /** Rows by the kind of their error, by name. */
  errorsByKind(): Record<string, number> {
    return Object.fromEntries([...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** All tiers first, then those of the scale in its order, then others by name. There must be rows. */
  table(known: readonly string[], level: number): TierSuccess[] {
    const names = tierOrder([...this.#tiers.keys()], known);
    return [
      successOf(ALL_TIERS, null, this.#all, level),
      ...names.map((tier) => {
        const isKnown = known.length === 0 ? null : known.includes(tier);
        return successOf(tier, isKnown, this.#tiers.get(tier)!, level);
      }),
    ];
  }
}

/** Tiers that are there, those of the scale in its order before others by name. */
export function tierOrder(tiers: readonly string[], known: readonly string[]): string[] {
  const there = new Set(tiers);
  const others = [...there].filter((tier) => !known.includes(tier)).sort();
  return [...known.filter((tier) => there.has(tier)), ...others];
}

function successOf(tier: string, known: boolean | null, { rows, parsed }: Count, level: number): TierSuccess {
  const ci = wilson(parsed, rows, { level });
  return { tier, known, rows, parsed, parse_success: parsed / rows, ...ends(ci, 'ci_low', 'ci_high') };
}
