/** `logit-audit score bbq --format bbq`: BBQ's own scores of rows that bring their predictions, and of result files. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { AuditError } from '../../../errors.ts';
import type { LetterParser } from '../../../parse/index.ts';
import { formatCount, formatJson } from '../../../report/index.ts';
import { print } from '../../../report/terminal.ts';
import { EXIT, warn } from '../../../shell/exit.ts';
import { fraction, wholeNumber } from '../../../shell/options.ts';
import { checkFree, checkNotInput } from '../../../shell/output-path.ts';
import {
  type Answers,
  type CategoryScore,
  METRICS,
  MODES,
  type Mode,
  POLICIES,
  type Policy,
  type ScoreOptions,
  scoreFiles,
  scoreJson,
  scoreResultFiles,
  writeScores,
  writeSplitScores,
} from '../score/paper/index.ts';
import { readName } from '../score/result-name.ts';
import { paperSheet, splitSheets } from './paper-sheet.ts';

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
  parser?: LetterParser;
  tailSlice?: number;
}

const SCORE_FILES = ['scores.csv', 'scores.json'];
const FILES = ['rows.csv', ...SCORE_FILES];

export const PAPER_EXAMPLES = `
Examples with BBQ rows and predictions (--format bbq):
  logit-audit score bbq --format bbq --results preds.jsonl --prediction-field answer
  logit-audit score bbq --format bbq --results preds/*.jsonl --prediction-field answer --out scores --json
  logit-audit score bbq --format bbq --results bbq/*.jsonl --policy stereotype
  logit-audit score bbq --format bbq --results runs/bbq/results

  Without a prediction field the files are result files, as "run bbq" writes them, of one model.

  A prediction is an option's text, or its index from 0. sAmb and sDis lie in [-1, 1]: 1 where every answer that names a
  group agrees with the stereotype, -1 where every one goes against it, 0 where both are as many. Intervals draw
  question templates anew. docs/bbq.md has the formulas and how the modes differ.
  Exit codes: 0 done, 1 no number could be had, 2 bad input, 3 disk full, 130 interrupted.`;

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
  const { results, predictionField, policy } = flags;
  if (predictionField !== undefined && policy !== undefined) {
    throw new AuditError('bad_argument', '--prediction-field and --policy are both given; give one');
  }
  if (policy !== undefined) return scoreRows(flags, { policy }, signal);
  if (predictionField !== undefined) return scoreRows(flags, { field: predictionField }, signal);
  if (results.every(holdsResults)) return scoreResults(flags, signal);
  const message = 'nothing says where the answers are; give --prediction-field FIELD or --policy NAME';
  throw new AuditError('bad_argument', message);
}

/** A folder, or a file that is named as result files are. */
function holdsResults(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() || readName(path.basename(place)) !== null;
}

/** Scores result files, split by split. */
async function scoreResults(flags: PaperFlags, signal: AbortSignal): Promise<void> {
  const { results, out, mode, level, resamples, seed, parser, tailSlice } = flags;
  checkOutputs(flags, SCORE_FILES);
  const interval = { level, resamples, seed };
  const result = await scoreResultFiles(results, { mode, interval, signal, parser, tailSlice });
  for (const note of result.notes) warn(note);
  if (out !== undefined) await writeSplitScores(out, mode, result.scores);
  exitWithoutNumbers(result.scores.flatMap(({ categories }) => categories));
  if (flags.json) print(formatJson({ format: 'bbq', seed, resamples, ...result }));
  else print(`${splitSheets(result.scores, mode, level).join('\n')}\n`);
  if (out !== undefined && !flags.json) print(`written to ${out}: ${SCORE_FILES.join(', ')}\n`);
}

/** Scores rows of BBQ with predictions. */
async function scoreRows(flags: PaperFlags, answers: Answers, signal: AbortSignal): Promise<void> {
  const { results, out, level, resamples, seed } = flags;
  checkOutputs(flags, FILES);
  const options: ScoreOptions = { answers, mode: flags.mode, interval: { level, resamples, seed }, signal };
  const result =
    out === undefined ? await scoreFiles(results, options) : await writeScores(out, results, options);
  if (result.invalid > 0) {
    warn(
      `left out, as no rows of BBQ: ${formatCount(result.invalid)}; the first: ${result.faults[0]!.message}`,
    );
  }
  exitWithoutNumbers(result.categories);
  if (flags.json) print(formatJson(scoreJson(options, result)));
  else print(`${paperSheet(result, level)}\n`);
  if (out !== undefined && !flags.json) print(`written to ${out}: ${FILES.join(', ')}\n`);
}

function checkOutputs({ out, results, force = false }: PaperFlags, names: readonly string[]): void {
  for (const name of out === undefined ? [] : names) {
    const file = path.join(out!, name);
    checkNotInput('--out', file, results);
    checkFree(file, force);
  }
}

function exitWithoutNumbers(categories: readonly CategoryScore[]): void {
  if (categories.every((score) => METRICS.every((metric) => score[metric] === null))) {
    process.exitCode = EXIT.failed;
  }
}
