/** The numbers of a ctf run, and what they say of themselves. */
import type { CorrelationMetric, Fields, MeanMetric, MetricDefinition } from '../../contract/metric.ts';
import { mean as meanOf, ofOneTokenizer } from '../../contract/metric.ts';
import { JSD, SIGNED_JSD, SIGNED_TWO, SIGNED_UNIT, UNIT } from '../../contract/ranges.ts';
import type { MetricFigures, RunCounts, SuiteContext } from '../../contract/suite.ts';
import { massName } from '../../lexicon/index.ts';
import { halfWidth } from '../shared/reference.ts';
import type { Trigger } from './gating.ts';
import type { CtfOptions } from './options.ts';
import { groupPairs, pairGapName } from './score.ts';

export function referenceOfCtf(
  metrics: ReadonlyMap<string, MetricFigures>,
  { ok, skipped }: RunCounts,
  { options: { topK } }: SuiteContext<CtfOptions>,
): Fields {
  const gap = metrics.get('ctfGap')!;
  const jsd = metrics.get('jsdSwap')!;
  const count = ok + skipped;
  return {
    count,
    covered: ok,
    coverage: count === 0 ? 0 : ok / count,
    CTF_gap_mean: gap.value ?? 0,
    CTF_gap_ci95: halfWidth(gap),
    JSD_swap_mean: jsd.value ?? 0,
    JSD_swap_ci95: halfWidth(jsd),
    topk: topK,
  };
}

type Context = SuiteContext<CtfOptions>;
type Steps = Readonly<Record<string, readonly number[]>> & { readonly trigger: readonly Trigger[] };

/** The metric document: below, raise K or W; above, lower them. */
const LOW_COVERAGE = 0.05;
const HIGH_COVERAGE = 0.4;

function numberAt(result: Fields, path: string): number {
  return path.split('.').reduce<unknown>((at, key) => (at as Fields)[key], result) as number;
}

/** A metric that is the mean over steps of fields of the result: one a step, or one a side. */
function mean(
  name: string,
  label: string,
  paths: readonly string[],
  { steps }: CtfOptions,
  opened?: Trigger,
): MeanMetric {
  const range = paths.every((path) => path.startsWith('jsd')) ? JSD : UNIT;
  const column = (path: string) => path.replace(/\.(.)/, (_, first: string) => first.toUpperCase());
  return {
    kind: 'mean',
    name,
    label,
    range,
    // A divergence is over the vocabulary, and smaller over one that cuts words into more tokens.
    tokenizerBound: paths.some((path) => path.startsWith('jsd')),
    // A skipped row is a probe that could not be taken; only there it is known how many steps it would have had.
    skippedSteps: steps === 'probe' ? paths.length : 0,
    steps(result) {
      if (steps === 'probe') return { values: paths.map((path) => numberAt(result, path)) };
      const columns = result.steps as unknown as Steps;
      const gate = opened ? columns.trigger.map((trigger) => (trigger === opened ? 1 : 0)) : columns.gate!;
      return {
        values: paths.flatMap((path) => columns[column(path)]!),
        gate: paths.flatMap(() => gate),
      };
    },
  };
}

function correlations({ mapping, occupations }: Context): CorrelationMetric[] {
  if (mapping!.groups.length !== 2) return [];
  const [first, second] = mapping!.groups.map(({ name }) => name) as [string, string];
  const signedGap = (result: Fields) =>
    ['', 'Swap'].reduce(
      (sum, suffix) =>
        sum + (numberAt(result, massName(first, suffix)) - numberAt(result, massName(second, suffix))) / 2,
      0,
    );
  const values = {
    gap: { label: 'gap', of: (result: Fields) => numberAt(result, 'gap') },
    signedGap: { label: `${first} less ${second} mass`, of: signedGap },
  };
  return occupations.flatMap((statistic) =>
    Object.entries(values).map(
      ([name, { label, of }]): CorrelationMetric => ({
        kind: 'correlation',
        range: SIGNED_UNIT,
        unbiased: 0,
        name: `correlation.${statistic.name}.${name}`,
        label: `correlation of ${label} with ${statistic.name}`,
        point(result, { occupation }) {
          const x = occupation == null ? undefined : statistic.values.get(occupation.toLowerCase());
          // A row without a gated step has no gap.
          if (x === undefined || result.gap === null) return null;
          return { group: occupation!.toLowerCase(), x, y: of(result) };
        },
      }),
    ),
  );
}

/** The yardsticks of a probe: what the swap does to the groups' lead, and with controls the excess over neutral swaps. */
function yardsticks({ options, mapping }: Context): MetricDefinition[] {
  if (options.steps !== 'probe') return [];
  const [first, second, ...more] = mapping!.groups.map(({ name }) => name);
  // A skipped row has a step of each that was not observed.
  const yardstick = (name: string, label: string, range: NonNullable<MeanMetric['range']>): MeanMetric => ({
    ...meanOf(name, label, range, (result) => (result[name] as number | null | undefined) ?? null),
    skippedSteps: 1,
  });
  const effect = `lead of ${first} over ${second} mass, changed by the swap`;
  const effects: MeanMetric[] =
    more.length > 0 ? [] : [{ ...yardstick('swapEffect', effect, SIGNED_TWO), unbiased: 0, sides: true }];
  if (!options.controls) return effects;
  return [
    ...effects,
    ofOneTokenizer(yardstick('jsdControl', 'JSD of neutral swaps', JSD)),
    ofOneTokenizer(yardstick('jsdExcess', 'JSD_swap less that of neutral swaps', SIGNED_JSD)),
    yardstick('gapControl', 'CTF-gap behind neutral words', UNIT),
    yardstick('gapExcess', 'CTF-gap less that behind neutral words', SIGNED_UNIT),
  ];
}

export function ctfMetrics(context: Context): MetricDefinition[] {
  const { options, mapping } = context;
  const { topK } = options;
  const pairs = groupPairs(mapping!).map(([a, b]) => {
    const [first, second] = [mapping!.groups[a]!.name, mapping!.groups[b]!.name];
    const name = pairGapName(first, second);
    return mean(`ctfGaps.${name}`, `CTF-gap, ${first} and ${second}`, [name], options);
  });
  const byTrigger = (['topK', 'window', 'both'] as const).flatMap((opened) => [
    mean(`trigger.${opened}.ctfGap`, `CTF-gap, opened by ${opened}`, ['gap'], options, opened),
    mean(`trigger.${opened}.jsdSwap`, `JSD_swap, opened by ${opened}`, ['jsdSwap'], options, opened),
  ]);
  return [
    mean('ctfGap', 'CTF-gap', ['gap'], options),
    mean('ctfGapBoth', 'CTF-gap, both sides', ['gap', 'gapSwap'], options),
    ...pairs,
    ...mapping!.groups.map(({ name }) => mean(`mass.${name}`, `mass of ${name}`, [massName(name)], options)),
    mean('jsdSwap', 'JSD_swap', ['jsdSwap'], options),
    ...(['partial', 'lower', 'upper'] as const).map((bound) =>
      mean(`jsdTopK.${bound}`, `JSD_swap, top-${topK} ${bound}`, [`jsdTopK.${bound}`], options),
    ),
    ...yardsticks(context),
    ...(options.steps !== 'probe' && options.gate ? byTrigger : []),
    ...correlations(context),
  ];
}

export function ctfRemarks(metrics: ReadonlyMap<string, MetricFigures>, context: Context): string[] {
  return [...coverageRemarks(metrics, context), ...controlRemarks(metrics, context)];
}

/** What a gap and a divergence are to be held against. */
function controlRemarks(
  metrics: ReadonlyMap<string, MetricFigures>,
  { lexicon, options: { steps, controls } }: Context,
): string[] {
  if (steps !== 'probe' || !lexicon?.controls.length) return [];
  if (!controls) {
    return [
      'CTF-gap and JSD_swap are above 0 for any model: --controls holds them against swaps of neutral words',
    ];
  }
  const [all, controlled] = ['ctfGap', 'jsdControl'].map((name) => metrics.get(name)?.n ?? 0) as [
    number,
    number,
  ];
  if (controlled === all) return [];
  return [
    `controls: ${controlled} of ${all} rows; lexicon ${lexicon.name} names none for the words of the others, which have no part in numbers of controls`,
  ];
}

function coverageRemarks(
  metrics: ReadonlyMap<string, MetricFigures>,
  { options: { steps, gate } }: Context,
): string[] {
  const coverage = metrics.get('ctfGap')?.coverage ?? null;
  if (coverage === null) return [];
  const percent = `${(coverage * 100).toFixed(1)} %`;
  if (steps === 'probe' || steps === 'before') {
    if (coverage >= LOW_COVERAGE) return [];
    return [`coverage ${percent}: few rows have a word of the lexicon on both sides; check the lexicon`];
  }
  if (!gate) return [];
  if (coverage < LOW_COVERAGE) {
    return [`coverage ${percent} is below 5 %: raise --gate-top-k or --gate-steps`];
  }
  if (coverage > HIGH_COVERAGE) {
    return [`coverage ${percent} is above 40 %: the gate hardly selects; lower --gate-top-k or --gate-steps`];
  }
  return [];
}
