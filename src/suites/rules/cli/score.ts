/** `logit-audit score rules`: the scores of reasoning files; no model is asked. */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { AuditError } from '../../../errors.ts';
import { print } from '../../../report/terminal.ts';
import { runAction } from '../../../shell/exit.ts';
import { fraction, wholeNumber } from '../../../shell/options.ts';
import {
  INGEST_PARSERS,
  type IngestParser,
  type ScoredRuns,
  scoreFiles,
  scoreReasoning,
  writeScores,
} from '../index.ts';
import { performanceTable } from './table.ts';

interface ScoreFlags {
  results: string[];
  parser: IngestParser;
  out?: string;
  force?: boolean;
  resamples: number;
  level: number;
  seed: number;
  json?: boolean;
}

const HELP = `
Several files are scored together: their intervals rest on the same draws of the same pairs.

Example:
  logit-audit score rules --results output/eval/*/test/submission/cot_prefill/reasoning_*.json --out scores

Exit codes: 0 done, 2 bad input, 3 disk full, 130 interrupted.`;

export function addScoreRules(group: Command): void {
  group
    .command('rules')
    .summary('accuracies of answers to PluRule')
    .description('Scores reasoning files of PluRule, whoever made them: overall, by cluster and by language.')
    .requiredOption('--results <files...>', 'reasoning files')
    .addOption(
      new Option(
        '--parser <parser>',
        "how choices are read: kept as the file has them, this project's way, or the original's",
      )
        .choices(INGEST_PARSERS)
        .default('kept'),
    )
    .option('--out <folder>', 'where performance.json and metrics.csv are written (default: nothing is)')
    .option('--force', 'replace files that are there')
    .option('--resamples <n>', 'how often pairs are drawn anew', wholeNumber(40), 100_000)
    .option('--level <p>', 'level of the intervals', fraction, 0.95)
    .option('--seed <n>', 'seed of the draws', wholeNumber(0), 42)
    .option('--json', 'print the scores as JSON')
    .addHelpText('after', HELP)
    .action((flags: ScoreFlags) => runAction({ json: flags.json === true }, () => score(flags)));
}

function sheet({ runs }: ScoredRuns): string {
  return runs
    .map(({ run, metrics, missingPairs, otherScores }) =>
      [
        run,
        performanceTable(metrics),
        ...(missingPairs > 0 ? [`note: ${missingPairs} pairs of the other files are not in it`] : []),
        ...(otherScores > 0
          ? [`note: ${otherScores} threads have another score in the file than the one made here`]
          : []),
      ].join('\n'),
    )
    .join('\n\n');
}

async function score({
  results,
  parser,
  out,
  force,
  resamples,
  level,
  seed,
  json,
}: ScoreFlags): Promise<void> {
  const files = out === undefined ? null : scoreFiles(out);
  const there = Object.values(files ?? {}).find((file) => existsSync(file));
  if (there !== undefined && !force) {
    throw new AuditError('output_exists', `${there} is there already; give another --out, or --force`, {
      file: there,
    });
  }
  const scored = await scoreReasoning(results, parser, { resamples, level, seed });
  if (files) await writeScores(scored, files);
  const { runs } = scored;
  const text = json ? JSON.stringify({ parser, runs, ...(files ? { files } : {}) }, null, 2) : sheet(scored);
  print(`${text}\n`);
}
