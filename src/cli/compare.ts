/** `logit-audit compare RUN_A RUN_B ...`: paired differences between runs over the same rows. */

import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AuditError } from '../errors.ts';
import { ends } from '../numbers/estimate.ts';
import { writeCsv } from '../report/index.ts';
import { print } from '../report/terminal.ts';
import {
  type Better,
  type ComparedPair,
  clusterCells,
  compareAll,
  EFFECTS,
  type Margin,
  openRun,
  type StoredRun,
} from '../run/index.ts';
import { runAction } from '../shell/exit.ts';
import { fraction, wholeNumber } from '../shell/options.ts';
import { findSuite } from '../suites/registry.ts';
import { type Adjust, compareSheet } from './compare-sheet.ts';

interface CompareFlags {
  metrics?: string[];
  slices?: boolean;
  out?: string;
  ci: 'cluster' | 'bootstrap' | 'normal';
  level: number;
  seed: number;
  margin?: Margin[];
  nonInferiority?: Better | true;
  adjust: Adjust;
  against: 'first' | 'all';
  acrossTemplates?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  logit-audit compare runs/before runs/after
  logit-audit compare runs/before runs/after --metrics all --out differences.csv
  logit-audit compare runs/before runs/after --metrics full.prefersStereotype --margin 5 --slices
  logit-audit compare runs/base runs/small runs/large --against all

The runs must have asked the same: the same data, options, lexicon and prompts. p-values are two-sided and adjusted for
all that is compared: metrics, slices and pairs of runs. A row counts where both runs measured it, by the mean of its
steps: where rows have several, A and B may differ from the means over steps in metrics.json. Shares are tested by
McNemar's test. Where the two models have different tokenizers, log-probabilities, perplexities and divergences are shown
and not compared: shares and figures per byte are. Differences of shares, and their margins, are in points of per cent.
Files and --json have every effect size and both adjustments.`;

/** "5" or "metric=5", one or several. */
function margins(text: string, before: Margin[] = []): Margin[] {
  const at = text.lastIndexOf('=');
  const margin = Number(text.slice(at + 1).trim() || Number.NaN);
  if (Number.isNaN(margin)) throw new InvalidArgumentError('Give a number, or METRIC=NUMBER.');
  return [...before, { margin, ...(at < 0 ? {} : { metric: text.slice(0, at).trim() }) }];
}

export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .summary('compare runs over the same rows')
    .description(
      'Paired differences between runs (A less B), with interval, p-value and its adjustment, effect size, and distance to the unbiased value.',
    )
    .argument('<runA>', 'folder of a run')
    .argument('<runB>', 'folder of another run of the same suite over the same data')
    .argument('[runs...]', 'folders of more runs, with one adjustment over all pairs')
    .option('--metrics <names...>', 'metrics by name, or "all" (default: those that the suite leads with)')
    .option('--slices', 'compare over each value of the slices of the suite too')
    .option(
      '--margin <[metric=]x>',
      'test equivalence within a margin, of shares in points; repeat it for several metrics',
      margins,
    )
    .addOption(
      new Option(
        '--non-inferiority [better]',
        'with --margin, test that A is not worse than B by it; which values are better (default: higher)',
      ).choices(['higher', 'lower']),
    )
    .addOption(
      new Option('--adjust <method>', 'which adjusted p-values the table shows')
        .choices(['holm', 'bh', 'none'])
        .default('holm'),
    )
    .addOption(
      new Option('--against <runs>', 'of more than two runs: the first with each other one, or every two')
        .choices(['first', 'all'])
        .default('first'),
    )
    .option('--out <file>', 'write the table as CSV too, with all digits; a new file')
    .addOption(
      new Option('--ci <method>', 'how intervals of means are worked out')
        .choices(['cluster', 'normal', 'bootstrap'])
        .default('cluster'),
    )
    .option('--level <p>', 'level of the intervals', fraction, 0.95)
    .option('--seed <n>', 'seed of bootstraps', wholeNumber(0), 0)
    .option(
      '--across-templates',
      'allow prompts to differ, where two models render chats by their own templates',
    )
    .option('--json', 'print the comparison as JSON')
    .addHelpText('after', EXAMPLES)
    .action((runA: string, runB: string, more: string[], flags: CompareFlags) =>
      runAction({ json: flags.json === true }, () => compare([runA, runB, ...more], flags)),
    );
}

async function compare(runs: readonly string[], flags: CompareFlags): Promise<void> {
  const { out, metrics, ci, level, seed, margin = [], nonInferiority, adjust, against } = flags;
  if (out !== undefined && existsSync(out)) {
    throw new AuditError('output_exists', `${out} is there already; give a new file for --out`, {
      file: out,
    });
  }
  if (nonInferiority !== undefined && margin.length === 0) {
    throw new AuditError(
      'bad_argument',
      '--non-inferiority needs a --margin: the most by which A may be worse',
    );
  }
  const stored: StoredRun[] = [];
  for (const folder of runs) stored.push(await openRun(folder, findSuite));
  const pairs = await compareAll(stored, {
    ...(metrics ? { metrics: metrics.length === 1 && metrics[0] === 'all' ? 'all' : metrics } : {}),
    interval: { ci, level, seed },
    acrossTemplates: flags.acrossTemplates ?? false,
    slices: flags.slices ?? false,
    margins: margin,
    ...(typeof nonInferiority === 'string' ? { better: nonInferiority } : {}),
    against,
  });
  if (out !== undefined) await writeComparison(out, runs, pairs);
  const shown = { adjust, nonInferiority: nonInferiority !== undefined, level };
  print(`${flags.json ? compareJson(runs, pairs, { ci, level, seed }) : compareSheet(runs, pairs, shown)}\n`);
}

/** Of two runs the comparison itself, of more a list of them. */
function compareJson(runs: readonly string[], pairs: readonly ComparedPair[], interval: object): string {
  const { suite } = pairs[0]!;
  const compared = pairs.map(({ places: [a, b], comparisons, notes }) => {
    return { runA: runs[a], runB: runs[b], comparisons, notes };
  });
  const own = runs.length === 2 ? { ...compared[0] } : { runs, pairs: compared };
  return JSON.stringify({ suite, interval, ...own }, null, 2);
}

const CSV = [
  ...[
    'runA',
    'runB',
    'slice',
    'value',
    'metric',
    'kind',
    'a',
    'b',
    'difference',
    'ciLow',
    'ciHigh',
    'ciMethod',
  ],
  ...[
    'ciLevel',
    'pValue',
    'pHolm',
    'pBH',
    ...EFFECTS.flatMap((name) => [name, `${name}Low`, `${name}High`]),
    'mde',
  ],
  ...['unbiased', 'distanceA', 'distanceB', 'distance', 'distanceLow', 'distanceHigh'],
  ...['distancePValue', 'distancePHolm', 'distancePBH'],
  ...[
    'margin',
    'marginLow',
    'marginHigh',
    'pEquivalence',
    'equivalent',
    'better',
    'pNonInferiority',
    'nonInferior',
  ],
  ...['n', 'unmatched', 'clusteredBy', 'clusters', 'reason'],
];

async function writeComparison(
  out: string,
  runs: readonly string[],
  pairs: readonly ComparedPair[],
): Promise<void> {
  const rows = pairs.flatMap(({ places: [runA, runB], comparisons }) =>
    comparisons.map(({ slice, value, metric, kind, a, b, difference, pValue, pHolm, pBH, mde, ...own }) => ({
      ...{
        runA: runs[runA]!,
        runB: runs[runB]!,
        slice,
        value,
        metric,
        kind,
        a,
        b,
        difference,
        pValue,
        pHolm,
        pBH,
        mde,
      },
      ...{ n: own.n, unmatched: own.unmatched, reason: own.reason ?? own.margin?.reason ?? null },
      ...clusterCells(own.clusters),
      ...ends(own.ci, 'ciLow', 'ciHigh'),
      ciMethod: own.ci?.method ?? null,
      ciLevel: own.ci?.level ?? null,
      ...Object.fromEntries(
        EFFECTS.flatMap((name) => [
          [name, own.effects[name]?.value ?? null],
          [`${name}Low`, own.effects[name]?.low ?? null],
          [`${name}High`, own.effects[name]?.high ?? null],
        ]),
      ),
      unbiased: own.distance?.unbiased ?? null,
      distanceA: own.distance?.a ?? null,
      distanceB: own.distance?.b ?? null,
      distance: own.distance?.difference ?? null,
      ...ends(own.distance?.ci, 'distanceLow', 'distanceHigh'),
      distancePValue: own.distance?.pValue ?? null,
      distancePHolm: own.distance?.pHolm ?? null,
      distancePBH: own.distance?.pBH ?? null,
      margin: own.margin?.margin ?? null,
      marginLow: own.margin?.low ?? null,
      marginHigh: own.margin?.high ?? null,
      pEquivalence: own.margin?.pEquivalence ?? null,
      equivalent: own.margin?.equivalent ?? null,
      better: own.margin?.better ?? null,
      pNonInferiority: own.margin?.pNonInferiority ?? null,
      nonInferior: own.margin?.nonInferior ?? null,
    })),
  );
  await writeCsv(
    out,
    CSV.map((key) => ({ key })),
    rows,
  );
}
