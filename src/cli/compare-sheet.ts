/** What `compare` prints for people: for each two runs the differences, below them how large they are, and what a margin says. */

import path from 'node:path';
import type { Interval } from '../numbers/estimate.ts';
import {
  formatCount,
  formatMetric,
  formatNumber,
  formatP,
  formatPercent,
  formatUnbiased,
  renderTable,
} from '../report/index.ts';
import type { ComparedPair, Comparison, EFFECTS, EffectSize } from '../run/index.ts';
import { clusterLines } from '../shell/cluster-lines.ts';

export type Adjust = 'holm' | 'bh' | 'none';

export interface Shown {
  readonly adjust: Adjust;
  readonly nonInferiority: boolean;
  readonly level: number;
}

const ADJUSTED = { holm: 'p (Holm)', bh: 'p (BH)', none: null } as const;

const adjustedBy = (adjust: Adjust, { pHolm, pBH }: { pHolm: number | null; pBH: number | null }) =>
  formatP(adjust === 'bh' ? pBH : pHolm);

/** A to Z, then by number. */
const LETTERS = 26;
const letter = (place: number) => (place < LETTERS ? String.fromCharCode(65 + place) : `R${place + 1}`);

export function compareSheet(runs: readonly string[], pairs: readonly ComparedPair[], shown: Shown): string {
  const { suite } = pairs[0]!;
  const models = new Map(
    pairs.flatMap(({ places: [a, b], ...of }) => [[a, of.a] as const, [b, of.b] as const]),
  );
  const heads = runs.map((run, place) => {
    const before = place === 0 ? `${suite}:` : ' '.repeat(suite.length + 1);
    return `${before} ${letter(place)} ${path.basename(models.get(place)!.model.path)} (${run})`;
  });
  const all = pairs.flatMap(({ comparisons }) => comparisons);
  const several = pairs.length > 1;
  // What is said of every pair is said once.
  const common = pairs[0]!.notes.filter((note) => pairs.every(({ notes }) => notes.includes(note)));
  return [
    ...heads,
    ...pairs.flatMap((pair) => ['', ...pairLines(pair, shown, several, new Set(several ? common : []))]),
    ...(several ? ['', ...common.map((note) => `note: ${note}`)] : []),
    ...sizeNotes(all, several ? ['the first run', 'the second'] : ['A', 'B']),
    ...familyLines(all, pairs.length, shown),
  ].join('\n');
}

function familyLines(all: readonly Comparison[], pairs: number, { adjust }: Shown): string[] {
  const column = ADJUSTED[adjust];
  const tests = all.filter(({ pHolm }) => pHolm !== null).length;
  if (tests === 0 || !column) return [];
  const distances = all.filter(({ distance }) => distance && distance.pHolm !== null).length;
  const over = [
    ...(all.some(({ slice }) => slice !== null) ? ['slices'] : []),
    ...(pairs > 1 ? ['pairs of runs'] : []),
  ];
  const count = (number: number, what: string) =>
    `the ${formatCount(number)} ${number === 1 ? 'test' : 'tests'} of ${what}`;
  return [
    [
      `${column}: adjusted for ${count(tests, 'differences')}`,
      ...(distances > 0 ? [`, and by themselves for ${count(distances, 'distances')}`] : []),
      ...(over.length > 0 ? [`; ${over.join(' and ')} are included`] : []),
    ].join(''),
  ];
}

function pairLines(
  { places: [a, b], comparisons, notes }: ComparedPair,
  shown: Shown,
  several: boolean,
  printed: ReadonlySet<string>,
): string[] {
  const names: Names = [letter(a), letter(b)];
  const unmatched = comparisons.filter((comparison) => comparison.unmatched > 0);
  const sizes = sizeTable(comparisons, names, shown);
  return [
    ...(several ? [`${names[0]} and ${names[1]}`] : []),
    table(comparisons, names, shown),
    ...clusterLines(comparisons.map(({ clusters }) => clusters)),
    ...unmatched.map(
      (comparison) =>
        `${comparison.label}${partOf(comparison)}: ${formatCount(comparison.unmatched)} measured in one run only`,
    ),
    ...reasonLines(comparisons),
    ...notes.filter((note) => !printed.has(note)).map((note) => `note: ${note}`),
    ...(sizes ? ['', sizes] : []),
    ...comparisons.flatMap((comparison) => marginLines(comparison, names, shown)),
  ];
}

type Names = readonly [a: string, b: string];

const partOf = ({ slice, value }: Comparison) => (slice === null ? '' : ` (${slice} ${value})`);

const partColumn = (comparisons: readonly Comparison[]) =>
  comparisons.some(({ slice }) => slice !== null) ? [{ key: 'part', header: 'rows' } as const] : [];

const partCell = ({ slice, value }: Comparison) => (slice === null ? 'all' : `${slice} ${value}`);

/** Each reason once, with the metrics that it concerns. */
function reasonLines(comparisons: readonly Comparison[]): string[] {
  const labels = new Map<string, Set<string>>();
  for (const { label, reason } of comparisons) {
    if (reason) labels.set(reason, (labels.get(reason) ?? new Set()).add(label));
  }
  return [...labels].map(([reason, own]) => `${[...own].join('; ')}: ${reason}`);
}

/** A share less a share is no share. */
function difference({ shown }: Pick<Comparison, 'shown'>, value: number | null, ci: Interval | null): string {
  return formatMetric(shown === 'percent' ? 'points' : shown, { value, ci });
}

function table(comparisons: readonly Comparison[], [a, b]: Names, { adjust, level }: Shown): string {
  const adjusted = ADJUSTED[adjust];
  const interval = comparisons.some(({ ci }) => ci) ? ` [${formatPercent(level, null, 0)} interval]` : '';
  return renderTable(
    [
      { key: 'metric' },
      ...partColumn(comparisons),
      { key: 'a', header: a, align: 'right' },
      { key: 'b', header: b, align: 'right' },
      { key: 'difference', header: `${a} - ${b}${interval}`, align: 'right' },
      { key: 'p', align: 'right' },
      ...(adjusted ? [{ key: 'adjusted', header: adjusted, align: 'right' } as const] : []),
      { key: 'n', format: formatCount },
    ],
    comparisons.map((comparison) => {
      const one = (value: number | null) => formatMetric(comparison.shown, { value });
      return {
        metric: comparison.label,
        part: partCell(comparison),
        a: one(comparison.a),
        b: one(comparison.b),
        difference: comparison.comparable
          ? difference(comparison, comparison.difference, comparison.ci)
          : 'not comparable',
        p: formatP(comparison.pValue),
        adjusted: adjustedBy(adjust, comparison),
        n: comparison.n,
      };
    }),
  );
}

/** The one that a table has room for; files have all. */
const LEADING = ['pairedOddsRatio', 'dz', 'ratio', 'oddsRatio'] as const;
const NAMES: Record<(typeof EFFECTS)[number], string> = {
  dz: 'd_z',
  h: 'h',
  pairedOddsRatio: 'paired OR',
  oddsRatio: 'OR',
  ratio: 'ratio',
};

const endOf = (value: number | null) =>
  value === null ? 'inf' : Math.abs(value) < 10 ? value.toFixed(2) : formatNumber(value);

function effectCell({ effects }: Comparison): string | null {
  const name = LEADING.find((one) => effects[one]);
  if (!name) return null;
  const { value, low, high } = effects[name] as EffectSize;
  const ends = low === null ? '' : ` [${endOf(low)}, ${endOf(high)}]`;
  return `${NAMES[name]} ${endOf(value)}${ends}`;
}

/** No difference of two shares is beyond 100 points. */
const detectable = ({ shown }: Comparison, mde: number) =>
  shown !== 'number' && mde > 1 ? 'none' : difference({ shown }, mde, null).replace(/^\+/, '');

function sizeTable(comparisons: readonly Comparison[], [a, b]: Names, { adjust }: Shown): string | null {
  const rows = comparisons.filter(
    ({ effects, mde, distance }) => Object.keys(effects).length > 0 || mde || distance,
  );
  if (rows.length === 0) return null;
  const distances = rows.some(({ distance }) => distance);
  return renderTable(
    [
      { key: 'metric' },
      ...partColumn(rows),
      { key: 'effect', header: 'effect size', align: 'right' },
      { key: 'mde', header: 'detectable', align: 'right' },
      ...(distances
        ? ([
            { key: 'distance', header: `|${a} - u| - |${b} - u|`, align: 'right' },
            { key: 'p', header: ADJUSTED[adjust] ?? 'p', align: 'right' },
          ] as const)
        : []),
    ],
    rows.map((comparison) => {
      const { distance, mde } = comparison;
      const p = distance && (adjust === 'none' ? formatP(distance.pValue) : adjustedBy(adjust, distance));
      return {
        metric: comparison.label,
        part: partCell(comparison),
        effect: effectCell(comparison),
        mde: mde === null ? null : detectable(comparison, mde),
        distance: distance ? difference(comparison, distance.difference, distance.ci) : null,
        p: distance ? p! : null,
      };
    }),
  );
}

/** What the words of the second table mean, of those that are in it. */
function sizeNotes(comparisons: readonly Comparison[], [a, b]: Names): string[] {
  const has = (name: (typeof LEADING)[number]) =>
    comparisons.some(({ effects }) => LEADING.find((one) => effects[one]) === name);
  const parts = [
    ...(has('pairedOddsRatio') ? [`paired OR: rows that only ${a} has over rows that only ${b} has`] : []),
    ...(has('dz') ? ['d_z: mean difference over the standard deviation of differences'] : []),
    ...(has('ratio') ? [`ratio: ${a} over ${b}`] : []),
    ...(has('oddsRatio') ? [`OR: odds of ${a} over those of ${b}`] : []),
  ];
  const values = new Map<string, string>();
  for (const { distance, shown, label } of comparisons) {
    if (distance) values.set(label, formatUnbiased(shown, distance.unbiased));
  }
  const unbiased = [...new Set(values.values())].map((value) => {
    const own = [...values].filter(([, other]) => other === value).map(([label]) => label);
    return `${value} (${own.join('; ')})`;
  });
  const sized = comparisons.some(({ mde }) => mde !== null);
  return [
    ...(parts.length > 0 ? [parts.join('; ')] : []),
    ...(sized ? ['detectable: the least difference that the test finds with a probability of 80 %'] : []),
    ...(unbiased.length > 0
      ? [`u: the value of an unbiased model, ${unbiased.join(', ')}; below 0 ${a} is nearer to it`]
      : []),
  ];
}

/** The verdict of the tests against a margin. */
function marginLines(comparison: Comparison, [a, b]: Names, { nonInferiority, level }: Shown): string[] {
  const { margin: found, label } = comparison;
  if (!found) return [];
  const { margin, low, high, better, reason } = found;
  const head = `${label}${partOf(comparison)}: `;
  const within = difference(comparison, margin, null).replace(/^\+/, '');
  if (found.pEquivalence === null) return [`${head}not tested within ${within}: ${reason}`];
  const interval = difference(comparison, comparison.difference, { low: low!, high: high! });
  const shownLevel = formatPercent(2 * level - 1, null, 0);
  const lines = [
    `${head}${found.equivalent ? 'equivalent' : 'equivalence not shown'} within ${within} (p ${formatP(found.pEquivalence)}; ${a} - ${b} ${interval}, ${shownLevel} interval)`,
  ];
  if (nonInferiority) {
    const verdict = found.nonInferior
      ? `${a} is not inferior to ${b}`
      : `non-inferiority of ${a} to ${b} is not shown`;
    lines.push(
      `${head}${verdict} by a margin of ${within}, ${better} is better (p ${formatP(found.pNonInferiority)})`,
    );
  }
  return lines;
}
