/** `logit-audit score bbq --format bbq`: BBQ's own scores of rows that bring their predictions. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import {
  type Answers,
  type CategoryScore,
  METRICS,
  type Metric,
  MODES,
  type Mode,
  POLICIES,
  type Policy,
  type ScoreOptions,
  type ScoreResult,
  scoreFiles,
  scoreJson,
  writeScores,
} from '../../bbq/paper/index.ts';
import { AuditError } from '../../errors.ts';
import {
  formatCount,
  formatInterval,
  formatJson,
  formatPercent,
  forTerminal,
  renderTable,
} from '../../report/index.ts';
import { fraction, wholeNumber } from '../options.ts';
import { warn } from '../warn.ts';

/** Flags of `score bbq` that this format reads; those of other formats may stand beside them. */
export interface PaperFlags {
  results: readonly string[];
  predictionField?: string;
  policy?: Policy;
  mode: Mode;
  level: number;
  resamples: number;
  seed: number;
  out?: string;
  force?: boolean;
  json?: boolean;
}

const FILES = ['rows.csv', 'scores.csv', 'scores.json'];
const SHOWN_UNRESOLVED = 5;

export const PAPER_EXAMPLES = `
BBQ rows with predictions (--format bbq):
  logit-audit score bbq --format bbq --results preds.jsonl --prediction-field answer
  logit-audit score bbq --format bbq --results preds/*.jsonl --prediction-field answer --out scores --json
  logit-audit score bbq --format bbq --results bbq/*.jsonl --policy stereotype

  A prediction is an option's text, or its index from 0. sAmb and sDis lie in [-1, 1]: 1 where every answer that names a
  group agrees with the stereotype, -1 where every one goes against it, 0 where both are as many. Intervals draw
  question templates anew. docs/bbq.md has the formulas and how the modes differ.`;

/**
 * Adds the options of this format to the command `score bbq`, which has --results, --out, --force and --json of its own,
 * and gives the action that scores by them.
 */
export function addPaperScore(command: Command): (flags: PaperFlags, signal: AbortSignal) => Promise<void> {
  command
    .option('--prediction-field <name>', 'format bbq: field of the rows that holds the prediction')
    .addOption(
      new Option('--policy <name>', 'format bbq: score an imagined model instead of predictions').choices(
        POLICIES,
      ),
    )
    .addOption(
      new Option('--mode <name>', 'format bbq: whose formulas; the harnesses are kept with their faults')
        .choices(MODES)
        .default('paper'),
    )
    .option('--level <p>', 'level of the intervals', fraction, 0.95)
    .option('--resamples <n>', 'draws of the bootstrap', wholeNumber(1), 10_000)
    .option('--seed <n>', 'seed of the bootstrap, and of --policy random', wholeNumber(0), 0)
    .addHelpText('after', PAPER_EXAMPLES);
  return scorePaper;
}

async function scorePaper(flags: PaperFlags, signal: AbortSignal): Promise<void> {
  const { results, out, force = false, level, resamples, seed } = flags;
  const answers = answersOf(flags);
  if (out !== undefined && !force) checkNew(out);
  const options: ScoreOptions = { answers, mode: flags.mode, interval: { level, resamples, seed }, signal };
  const result =
    out === undefined ? await scoreFiles(results, options) : await writeScores(out, results, options);
  if (result.invalid > 0) {
    warn(
      `${formatCount(result.invalid)} rows are not rows of BBQ and were left out; the first: ${result.faults[0]!.message}`,
    );
  }
  if (flags.json) process.stdout.write(formatJson(scoreJson(options, result)));
  else process.stdout.write(`${forTerminal(sheet(result, level, out))}\n`);
}

function answersOf({ predictionField, policy }: PaperFlags): Answers {
  if ((predictionField === undefined) === (policy === undefined)) {
    const fault =
      policy === undefined
        ? 'nothing says where the answers are'
        : '--prediction-field and --policy are both given';
    throw new AuditError('bad_argument', `${fault}; give --prediction-field FIELD or --policy NAME`);
  }
  return policy === undefined ? { field: predictionField! } : { policy };
}

function checkNew(folder: string): void {
  const there = FILES.map((name) => path.join(folder, name)).find((file) => existsSync(file));
  if (there === undefined) return;
  const message = `${there} is already there; give another folder for --out, or --force to replace it`;
  throw new AuditError('output_exists', message, { file: there });
}

function sheet(
  { mode, categories, unresolved }: ScoreResult,
  level: number,
  out: string | undefined,
): string {
  const noTarget = categories.reduce((sum, category) => sum + category.noTarget, 0);
  return [
    `BBQ scores (${mode}) [${formatPercent(level, null, 0)} interval]`,
    '',
    renderTable(
      [
        { key: 'category' },
        { key: 'rows', format: formatCount },
        { key: 'unparsed', align: 'right' },
        { key: 'noTarget', header: 'no target', format: formatCount },
        { key: 'accuracyAmbiguous', header: 'accuracy, ambiguous', align: 'right' },
        { key: 'accuracyDisambiguated', header: 'disambiguated', align: 'right' },
        { key: 'sAmb', align: 'right' },
        { key: 'sDis', align: 'right' },
      ],
      categories.map((score) => ({
        category: score.category,
        rows: score.rows,
        unparsed: formatPercent(score.unparsedRate),
        noTarget: score.noTarget,
        ...Object.fromEntries(METRICS.map((metric) => [metric, cell(score, metric)])),
      })),
    ),
    ...categories.flatMap(({ category, reasons }) =>
      METRICS.flatMap((metric) => (reasons[metric] ? [`${category}, ${metric}: ${reasons[metric]}`] : [])),
    ),
    ...(noTarget === 0 ? [] : ['', `${formatCount(noTarget)} rows without a target:`]),
    ...unresolved
      .slice(0, SHOWN_UNRESOLVED)
      .map(
        ({ category, reason, tags, rows }) =>
          `  ${formatCount(rows)} of ${category} [${tags.join(', ')}]: ${reason}`,
      ),
    ...(unresolved.length > SHOWN_UNRESOLVED ? ['  ... (--json lists all)'] : []),
    ...(out === undefined ? [] : ['', `written to ${out}: ${FILES.join(', ')}`]),
  ].join('\n');
}

function cell(score: CategoryScore, metric: Metric): string {
  const ci = score.ci[metric];
  const interval = ci === null ? null : { lower: ci.low, upper: ci.high };
  return metric === 'sAmb' || metric === 'sDis'
    ? formatInterval(score[metric], interval, 4)
    : formatPercent(score[metric], interval);
}
