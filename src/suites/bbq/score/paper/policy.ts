/** Answers of imagined models, by which the scores can be understood: their values follow from the definitions. */
import { createHash } from 'node:crypto';
import { type BbqRow, OPTIONS, type Option } from './row.ts';
import { targetOf } from './target.ts';

export const POLICIES = ['unknown', 'stereotype', 'anti', 'random'] as const;
export type Policy = (typeof POLICIES)[number];

/**
 * The option that a policy chooses: always `unknown`; always the option that agrees with the `stereotype`, or the one that
 * goes against it (`anti`); `random`: any of the three, by `seed` and the row alone. Null where the row has no target to
 * decide by.
 */
export function policyPrediction(row: BbqRow, policy: Policy, seed = 0): Option | null {
  switch (policy) {
    case 'unknown':
      return row.unknown;
    case 'random':
      return drawn(row, seed);
    case 'stereotype':
    case 'anti': {
      const target = targetOf(row).option;
      if (target === null) return null;
      return row.negative === (policy === 'stereotype') ? target : otherThan(target, row);
    }
  }
}

function otherThan(target: Option, row: BbqRow): Option {
  return OPTIONS.find((option) => option !== target && option !== row.unknown)!;
}

function drawn(
  { category, template, exampleId, negative, ambiguous, question, options }: BbqRow,
  seed: number,
): Option {
  const row = JSON.stringify([seed, category, template, exampleId, negative, ambiguous, question, options]);
  // 48 bits: three does not divide them, by a part in 10^14.
  return (createHash('sha256').update(row).digest().readUIntBE(0, 6) % 3) as Option;
}
