/** What answers cost, by a table that the user gives: prices change, and none is known here. */
import { z } from 'zod';

const price = z.number().min(0);

/** Prices of a million tokens, in one currency for the whole table. */
const modelPrice = z.strictObject({
  input: price,
  output: price,
  /** Of input that the endpoint had in its cache; default: that of any other. */
  cachedInput: price.optional(),
});

/** By the model's name as it is asked for; with a service tier, `MODEL@TIER` goes before it. */
export const priceTable = z.record(z.string(), modelPrice);
export type PriceTable = Readonly<z.infer<typeof priceTable>>;

/** Tokens as an endpoint counts them; null where it does not say. */
export interface TokenCounts {
  readonly input: number | null;
  /** Thoughts that are not shown included. */
  readonly output: number | null;
  /** Part of `input`. */
  readonly cachedInput: number | null;
}

const MILLION = 1e6;

/** Null, never 0, where the price or the counts are not known. */
export function costOf(
  { input, output, cachedInput }: TokenCounts,
  table: PriceTable,
  model: string,
  tier: string | null,
): number | null {
  const tiered = `${model}@${tier}`;
  const name = tier !== null && Object.hasOwn(table, tiered) ? tiered : model;
  if (!Object.hasOwn(table, name) || input === null || output === null) return null;
  const { input: full, output: written, cachedInput: reduced = full } = table[name]!;
  const cached = cachedInput ?? 0;
  return ((input - cached) * full + cached * reduced + output * written) / MILLION;
}
