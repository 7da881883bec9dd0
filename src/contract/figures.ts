import type { Fields } from './metric.ts';
import type { SuiteContext } from './suite.ts';

/**
 * Column `figures` of a row: the figures of its occupation, by their names, which a correlation over occupations holds the row's
 * values against; null where it is missing. So that rows.jsonl has all that a metric is made of.
 */
export function figureFields(
  { occupations }: Pick<SuiteContext, 'occupations'>,
  occupation: string | null | undefined,
): Fields {
  if (occupations.length === 0) return {};
  const found = occupations.map(({ name, values }) => [
    name,
    values.get(occupation?.toLowerCase() ?? '') ?? null,
  ]);
  return { figures: Object.fromEntries(found) };
}
