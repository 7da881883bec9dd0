/**
 * What the answers to a questionnaire come to. The scores are those of the scale's own key; the unit of what is said about their
 * scatter is the order of the answers (a replication), or for differences between two orders the item.
 */

import { type Estimate, type Interval, noEstimate } from '../../../../numbers/estimate.ts';
import { aggregateSync, cronbachAlpha, pairedDifferenceSync, wilson } from '../../../../numbers/index.ts';
import type { ItemAnswer, LetterAnswer, Questionnaire } from '../../ask/index.ts';
import {
  bandOf,
  bandOfValue,
  responseRange,
  type Scale,
  type Subscale,
  subscaleScore,
} from '../../data/index.ts';

/** An item in an order, as the journal has it; null where it failed. */
export interface AnsweredItem {
  readonly item: string;
  readonly order: number;
  readonly result: (ItemAnswer & Partial<LetterAnswer>) | null;
}

export interface OrderScore {
  readonly order: number;
  readonly subscale: string;
  /** Null where an item has no answer. */
  readonly score: number | null;
  readonly band: string | null;
  /** The mean of the score under the letters' probabilities. */
  readonly expectedScore: number | null;
  readonly answered: number;
  readonly items: number;
}

export interface SubscaleStatistics {
  readonly subscale: string;
  readonly title: string;
  readonly items: number;
  readonly min: number;
  readonly max: number;
  /** Over the orders in which every item has an answer. */
  readonly score: Estimate;
  readonly sd: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Of the mean, rounded. */
  readonly band: string | null;
  readonly alpha: Estimate;
}

export interface ItemRow {
  readonly subscale: string;
  readonly item: string;
  readonly reversed: boolean;
  /** Orders with an answer. */
  readonly n: number;
  readonly mean: number | null;
  readonly sd: number | null;
  /** With the sum of the subscale's other items, over orders in which all have an answer; so is the next. */
  readonly restCorrelation: number | null;
  readonly alphaWithout: number | null;
  readonly refused: number | null;
  readonly unparsed: number | null;
  readonly failed: number;
}

export interface OrderEffects {
  /**
   * The scale's order less its reverse, a subscale's score or (`answers`) the mean of what items were answered, before reversed items
   * are turned round. Items are the unit.
   */
  readonly differences: readonly (Estimate & { readonly of: string; readonly pValue: number | null })[];
  /** Items whose answer is another in the reverse order. */
  readonly changed: Estimate;
  /** The chance that an item is answered otherwise in two of the orders, as the mean over items. */
  readonly disagreement: Estimate;
  /** Shares of the answers by their place in the list. */
  readonly positions: readonly number[];
}

export interface QuestionnaireStatistics {
  readonly counts: {
    readonly cases: number;
    readonly ok: number;
    readonly failed: number;
    readonly answered: number;
    readonly truncated: number;
  };
  /** Texts that decline to answer, and texts that tell no answer for other reasons. */
  readonly refused: Estimate;
  readonly unparsed: Estimate;
  /** Texts whose answer is the likeliest letter, of those that were read; null where letters were not. */
  readonly agreement: Estimate | null;
  /** What the letters have of the whole distribution, in the mean. */
  readonly letterMass: number | null;
  readonly scores: readonly OrderScore[];
  readonly subscales: readonly SubscaleStatistics[];
  readonly items: readonly ItemRow[];
  readonly orderEffects: OrderEffects;
}

type Answers = ReadonlyMap<number, ReadonlyMap<string, NonNullable<AnsweredItem['result']>>>;

const NO_VALUES = 'no order has an answer to every item';

export function questionnaireStatistics(
  scale: Scale,
  { subscales, items, orders }: Questionnaire,
  cases: readonly AnsweredItem[],
  level: number,
): QuestionnaireStatistics {
  const results = cases.flatMap(({ result }) => result ?? []);
  const answers = byOrder(cases, orders);
  const share = (hits: number, n: number) => shareOf(hits, n, level);
  const refused = results.filter((one) => one.refused).length;
  const read = results.filter(({ textAnswer }) => textAnswer !== null);
  const lettered = read.filter(({ letterAnswer }) => letterAnswer !== undefined);
  const masses = results.flatMap(({ letterMass }) => letterMass ?? []);
  const scores = subscales.flatMap((subscale) =>
    [...answers].map(([order, own]) => scoreOf(scale, subscale, order, own)),
  );
  return {
    counts: {
      cases: cases.length,
      ok: results.length,
      failed: cases.length - results.length,
      answered: results.filter(({ answer }) => answer !== null).length,
      truncated: results.filter(({ truncated }) => truncated).length,
    },
    refused: share(refused, results.length),
    unparsed: share(results.length - read.length - refused, results.length),
    agreement:
      masses.length === 0
        ? null
        : share(
            lettered.filter(({ textAnswer, letterAnswer }) => textAnswer === letterAnswer).length,
            lettered.length,
          ),
    letterMass: masses.length === 0 ? null : masses.reduce((sum, mass) => sum + mass, 0) / masses.length,
    scores,
    subscales: subscales.map((subscale) => subscaleStatistics(subscale, scores, answers, level)),
    items: subscales.flatMap((subscale) => itemRows(scale, subscale, answers, cases)),
    orderEffects: orderEffects(scale, { subscales, items }, answers, level),
  };
}

function byOrder(cases: readonly AnsweredItem[], orders: number): Answers {
  const all = new Map(Array.from({ length: orders }, (_, at) => [at + 1, new Map()] as const));
  for (const { item, order, result } of cases) if (result !== null) all.get(order)!.set(item, result);
  return all;
}

/** The ends alone, as the files have them. */
function endsOf(ci: Interval | null, times = 1): Interval | null {
  return ci && { low: ci.low * times, high: ci.high * times };
}

function shareOf(hits: number, n: number, level: number): Estimate {
  if (n === 0) return noEstimate('there is no answer to count');
  return { value: hits / n, ci: endsOf(wilson(hits, n, { level })), n, reason: null };
}

/** The mean, each value by itself. */
function meanOf(values: readonly number[], range: readonly [number, number], level: number): Estimate {
  const n = values.length;
  const { mean, ci, reason } = aggregateSync(Float64Array.from(values), { range: [...range], level });
  return { value: mean, ci: endsOf(ci), n, reason: reason ?? null };
}

/** By the scale's own key: labels in, as of a participant. */
function scoreOf(
  scale: Scale,
  subscale: Subscale,
  order: number,
  own: ReadonlyMap<string, NonNullable<AnsweredItem['result']>>,
): OrderScore {
  const labels = Object.fromEntries([...own].map(([item, { answer }]) => [item, answer]));
  const score = subscaleScore(scale, subscale, labels);
  const expected = subscale.items.map((item) => own.get(item)?.expectedScore);
  return {
    order,
    subscale: subscale.name,
    score,
    band: bandOf(subscale, score),
    expectedScore: expected.includes(undefined) ? null : expected.reduce((sum, one) => sum! + one!, 0)!,
    answered: subscale.items.filter((item) => labels[item] != null).length,
    items: subscale.items.length,
  };
}

/** Scores of the items, a row an order in which all have one. */
function completeRows({ items }: Subscale, answers: Answers): number[][] {
  return [...answers.values()].flatMap((own) => {
    const scores = items.map((item) => own.get(item)?.score ?? null);
    return scores.includes(null) ? [] : [scores as number[]];
  });
}

function reliabilityOf(subscale: Subscale, answers: Answers, level: number) {
  const rows = completeRows(subscale, answers);
  return rows.length === 0
    ? null
    : cronbachAlpha(Float64Array.from(rows.flat()), subscale.items.length, { level });
}

function subscaleStatistics(
  subscale: Subscale,
  scores: readonly OrderScore[],
  answers: Answers,
  level: number,
): SubscaleStatistics {
  const { name, title, items, min, max } = subscale;
  const own = scores.flatMap((one) => (one.subscale === name && one.score !== null ? [one.score] : []));
  const reliability = reliabilityOf(subscale, answers, level);
  const none = noEstimate(NO_VALUES);
  const score = own.length === 0 ? none : meanOf(own, [min, max], level);
  return {
    subscale: name,
    title,
    items: items.length,
    min,
    max,
    score,
    sd: own.length === 0 ? null : cronbachAlpha(Float64Array.from(own), 1).items[0]!.sd,
    lowest: own.length === 0 ? null : Math.min(...own),
    highest: own.length === 0 ? null : Math.max(...own),
    band: bandOfValue(subscale, score.value),
    alpha:
      reliability === null
        ? none
        : {
            value: reliability.alpha,
            ci: endsOf(reliability.ci),
            n: reliability.n,
            reason: reliability.reason?.replaceAll('row', 'order') ?? null,
          },
  };
}

function itemRows(
  scale: Scale,
  subscale: Subscale,
  answers: Answers,
  cases: readonly AnsweredItem[],
): ItemRow[] {
  const reliability = reliabilityOf(subscale, answers, 0.95);
  return subscale.items.map((item, at): ItemRow => {
    const all = cases.filter((one) => one.item === item);
    const results = all.flatMap(({ result }) => result ?? []);
    const scores = results.flatMap(({ score }) => score ?? []);
    const own = scores.length === 0 ? null : cronbachAlpha(Float64Array.from(scores), 1).items[0]!;
    const of = reliability?.items[at];
    const refused = results.filter((one) => one.refused).length;
    const unread = results.filter(({ textAnswer }) => textAnswer === null).length - refused;
    const part = (count: number) => (results.length === 0 ? null : count / results.length);
    return {
      subscale: subscale.name,
      item,
      reversed: scale.items[item]!.reversed,
      n: scores.length,
      mean: own?.mean ?? null,
      sd: own?.sd ?? null,
      restCorrelation: of?.restCorrelation ?? null,
      alphaWithout: of?.alphaWithout ?? null,
      refused: part(refused),
      unparsed: part(unread),
      failed: all.length - results.length,
    };
  });
}

function orderEffects(
  scale: Scale,
  { subscales, items }: Pick<Questionnaire, 'subscales' | 'items'>,
  answers: Answers,
  level: number,
): OrderEffects {
  const [first, reverse] = [answers.get(1)!, answers.get(2)];
  const both = items.filter((item) => first.get(item)?.answer != null && reverse?.get(item)?.answer != null);
  const changed = both.filter((item) => first.get(item)!.answer !== reverse!.get(item)!.answer).length;
  const { lowest, highest } = responseRange(scale);
  const width = highest - lowest;
  const difference = (of: string, own: readonly string[], key: 'value' | 'score', times: number) => {
    const missing = own.filter((item) => !both.includes(item)).length;
    if (own.length === 0 || (missing > 0 && key === 'score')) {
      const reason =
        reverse === undefined
          ? 'the reverse order was not asked'
          : `${missing} of the items have no answer in one of both orders`;
      return { of, ...noEstimate(reason), pValue: null };
    }
    const column = (side: typeof first) => Float64Array.from(own, (item) => side.get(item)![key]!);
    const found = pairedDifferenceSync(column(first), column(reverse!), { range: [-width, width], level });
    return {
      of,
      value: found.mean === null ? null : found.mean * times,
      ci: endsOf(found.ci, times),
      n: own.length,
      reason: found.reason ?? null,
      pValue: found.pValue ?? null,
    };
  };
  const apart = items.flatMap((item) => disagreementOf(answers, item) ?? []);
  const places = [...answers.values()].flatMap((own) =>
    [...own.values()].flatMap(({ position }) => position ?? []),
  );
  return {
    differences: [
      difference('answers', both, 'value', 1),
      ...subscales.map((one) => difference(one.name, one.items, 'score', one.items.length)),
    ],
    changed: shareOf(changed, both.length, level),
    disagreement:
      apart.length === 0 ? noEstimate('no item has an answer in two orders') : meanOf(apart, [0, 1], level),
    positions: scale.responses.map((_, at) =>
      places.length === 0 ? 0 : places.filter((place) => place === at + 1).length / places.length,
    ),
  };
}

/** The share of pairs of orders with two answers; null for fewer than two. */
function disagreementOf(answers: Answers, item: string): number | null {
  const given = [...answers.values()].flatMap((own) => own.get(item)?.answer ?? []);
  const n = given.length;
  if (n < 2) return null;
  const counts = new Map<string, number>();
  for (const answer of given) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const alike = [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  return 1 - alike / ((n * (n - 1)) / 2);
}
