/** From answers to scores: what a label counts, and what the items of a subscale add up to. */
import { foldLabel } from './bands.ts';
import type { Scale, Subscale } from './scale.ts';

/** What an answer counts; null for what is no label of the scale, numbers too: only labels say which way they count. */
export function responseValue({ responses }: Pick<Scale, 'responses'>, label: unknown): number | null {
  if (typeof label !== 'string') return null;
  const folded = foldLabel(label);
  const found = responses.find(({ labels }) => labels.some((known) => foldLabel(known) === folded));
  return found?.value ?? null;
}

/** The lowest and the highest value that an answer may have. */
export function responseRange({ responses }: Pick<Scale, 'responses'>): { lowest: number; highest: number } {
  const values = responses.map(({ value }) => value);
  return { lowest: Math.min(...values), highest: Math.max(...values) };
}

/** The same answer counted the other way round. */
export function reverseValue(scale: Pick<Scale, 'responses'>, value: number): number {
  const { lowest, highest } = responseRange(scale);
  return lowest + highest - value;
}

/** What the answer to an item adds to the subscales it is in; null for an answer that is missing or no label. */
export function itemScore(
  scale: Pick<Scale, 'responses' | 'items'>,
  item: string,
  label: unknown,
): number | null {
  const value = responseValue(scale, label);
  if (value === null) return null;
  return scale.items[item]?.reversed ? reverseValue(scale, value) : value;
}

/**
 * The sum of a subscale's items, `min` to `max` of the subscale; null if any of them is missing or no label of the scale.
 * `answers` are by the keys of the items: a row of the participants' file.
 */
export function subscaleScore(
  scale: Pick<Scale, 'responses' | 'items'>,
  { items }: Pick<Subscale, 'items'>,
  answers: Readonly<Record<string, unknown>>,
): number | null {
  let sum = 0;
  for (const item of items) {
    const score = Object.hasOwn(answers, item) ? itemScore(scale, item, answers[item]) : null;
    if (score === null) return null;
    sum += score;
  }
  return sum;
}

/** A distance of two scores as a share of the subscale's range: 0 to 1, what is beyond cut off. Null for null. */
export function normScoreDistance(
  { min, max }: Pick<Subscale, 'min' | 'max'>,
  distance: number | null,
): number | null {
  if (distance === null || Number.isNaN(distance)) return null;
  return Math.min(1, Math.max(0, distance / (max - min)));
}
