/**
 * How far the items of a questionnaire measure one thing. Part of `logit-audit/metrics`; definitions and sources are in
 * docs/metrics.md.
 */

import { checkArgument, checkObject } from '../native/arguments.ts';
import { inPlace } from '../native/memory.ts';
import { callingSync, type MetricsAddon } from '../native/metrics.ts';
import type { EffectOptions } from './effects.ts';

/** Cronbach's alpha with its interval, and what each item contributes. */
export type Reliability = ReturnType<MetricsAddon['cronbachAlpha']>;
/** What one item contributes to a scale. */
export type ItemStatistics = Reliability['items'][number];
/** Feldt's interval of Cronbach's alpha. */
export type FeldtInterval = NonNullable<Reliability['ci']>;

/**
 * Cronbach's alpha (1951) of `values`, row after row of `items` columns that are all scored the same way round, with the interval of
 * Feldt (1965); and of each item its mean, its standard deviation, its correlation with the sum of the others, and alpha without it. Null with
 * a `reason` for fewer than two items or rows, where the sum does not vary, and (the interval) where alpha is 1.
 *
 * Throws `empty_input`, `length_mismatch` for values that are no whole number of rows, `not_finite` (`data.row`, `data.column`), `bad_argument`
 * for a level outside (0, 1).
 */
export function cronbachAlpha(values: Float64Array, items: number, options?: EffectOptions): Reliability {
  return callingSync((addon) => {
    const inputs = inPlace({
      values: checkArgument('values', values, Float64Array),
      options: checkObject('options', options, {}, { level: 'number' }),
    });
    checkArgument('items', items, 'number');
    return addon.cronbachAlpha(inputs.values, items, inputs.options);
  });
}
