/** `logit-audit compare RUN_A RUN_B`: paired differences between two runs over the same rows. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { AuditError } from '../errors.ts';
import {
  formatCount,
  formatInterval,
  formatMetric,
  formatP,
  formatPercent,
  formatPoints,
  renderTable,
  writeCsv,
} from '../report/index.ts';
import { type CompareResult, type Comparison, clusterCells, compareRuns } from '../run/index.ts';
import { print } from '../terminal.ts';
import { clusterLines } from './cluster-lines.ts';
import { runAction } from './exit.ts';
import { fraction, wholeNumber } from './options.ts';

interface CompareFlags {
  metrics?: string[];
  out?: string;
  ci: 'cluster' | 'bootstrap' | 'normal';
  level: number;
  seed: number;
  acrossTemplates?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  logit-audit compare runs/before runs/after
  logit-audit compare runs/before runs/after --metrics all --out differences.csv

The runs must have asked the same: the same data, options, lexicon and prompts. p-values are two-sided and adjusted by
Holm's method for the metrics that are compared. A row counts where both runs measured it, by the mean of its steps:
where rows have several, A and B may differ from the means over steps in metrics.json. Shares are tested by McNemar's
test. Where the two models have different tokenizers, log-probabilities, perplexities and divergences are shown and not
compared: shares and figures per byte are. Differences of shares are in points of per cent.`;

export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .summary('compare two runs over the same rows')
    .description('Paired differences between two runs (A less B), with interval, p-value and its adjustment.')
    .argument('<runA>', 'folder of a run')
    .argument('<runB>', 'folder of another run of the same suite over the same data')
    .option('--metrics <names...>', 'metrics by name, or "all" (default: those that the suite leads with)')
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
    .action((runA: string, runB: string, flags: CompareFlags) =>
      runAction({ json: flags.json === true }, () => compare(runA, runB, flags)),
    );
}

async function compare(runA: string, runB: string, flags: CompareFlags): Promise<void> {
  const { out, metrics, ci, level, seed, acrossTemplates = false } = flags;
  if (out !== undefined && existsSync(out)) {
    throw new AuditError('output_exists', `${out} is there already; give a new file for --out`, {
      file: out,
    });
  }
  const result = await compareRuns(runA, runB, {
    ...(metrics ? { metrics: metrics.length === 1 && metrics[0] === 'all' ? 'all' : metrics } : {}),
    interval: { ci, level, seed },
    acrossTemplates,
  });
  if (out !== undefined) await writeComparison(out, result);
  print(`${flags.json ? compareJson(runA, runB, result) : sheet(runA, runB, result)}\n`);
}

function compareJson(runA: string, runB: string, { suite, comparisons, notes }: CompareResult): string {
  return JSON.stringify({ suite, runA, runB, comparisons, notes }, null, 2);
}

const CSV = [
  ...['metric', 'kind', 'a', 'b', 'difference', 'ciLow', 'ciHigh', 'ciMethod', 'ciLevel', 'pValue', 'pHolm'],
  ...['n', 'unmatched', 'clusteredBy', 'clusters', 'reason'],
];

async function writeComparison(out: string, { comparisons }: CompareResult): Promise<void> {
  const rows = comparisons.map(({ ci, label: _, shown: __, comparable: ___, clusters, reason, ...own }) => ({
    ...own,
    ...clusterCells(clusters),
    ciLow: ci?.low ?? null,
    ciHigh: ci?.high ?? null,
    ciMethod: ci?.method ?? null,
    ciLevel: ci?.level ?? null,
    reason: reason ?? null,
  }));
  await writeCsv(
    out,
    CSV.map((key) => ({ key })),
    rows,
  );
}

function sheet(runA: string, runB: string, { suite, a, b, comparisons, notes }: CompareResult): string {
  const unmatched = comparisons.filter((comparison) => comparison.unmatched > 0);
  const tested = comparisons.some(({ pHolm }) => pHolm !== null);
  return [
    `${suite}: A ${path.basename(a.model.path)} (${runA})`,
    `${' '.repeat(suite.length)}  B ${path.basename(b.model.path)} (${runB})`,
    '',
    table(comparisons),
    ...clusterLines(comparisons.map(({ clusters }) => clusters)),
    ...unmatched.map(
      (comparison) => `${comparison.label}: ${formatCount(comparison.unmatched)} measured in one run only`,
    ),
    ...reasonLines(comparisons),
    ...notes.map((note) => `note: ${note}`),
    ...(tested ? ['p (Holm): adjusted for the metrics of this table'] : []),
  ].join('\n');
}

/** Each reason once, with the metrics that it concerns. */
function reasonLines(comparisons: readonly Comparison[]): string[] {
  const labels = new Map<string, string[]>();
  for (const { label, reason } of comparisons) {
    if (reason) labels.set(reason, [...(labels.get(reason) ?? []), label]);
  }
  return [...labels].map(([reason, own]) => `${own.join('; ')}: ${reason}`);
}

function table(comparisons: readonly Comparison[]): string {
  const level = comparisons.find(({ ci }) => ci)?.ci?.level;
  return renderTable(
    [
      { key: 'metric' },
      { key: 'a', header: 'A', align: 'right' },
      { key: 'b', header: 'B', align: 'right' },
      {
        key: 'difference',
        header: level === undefined ? 'A - B' : `A - B [${formatPercent(level, null, 0)} interval]`,
        align: 'right',
      },
      { key: 'p', align: 'right' },
      { key: 'pHolm', header: 'p (Holm)', align: 'right' },
      { key: 'n', format: formatCount },
    ],
    comparisons.map(({ label, shown, comparable, a, b, difference, ci, pValue, pHolm, n }) => {
      const one = (value: number | null) => formatMetric(shown, { value });
      const interval = ci ? { lower: ci.low, upper: ci.high } : null;
      return {
        metric: label,
        a: one(a),
        b: one(b),
        // A share less a share is no share.
        difference: comparable
          ? shown === 'number'
            ? formatInterval(difference, interval, 4)
            : formatPoints(difference, interval)
          : 'not comparable',
        p: formatP(pValue),
        pHolm: formatP(pHolm),
        n,
      };
    }),
  );
}
