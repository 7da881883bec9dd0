/** `logit-audit pipeline bbq`: result files to tables in one go. */
import type { Command } from 'commander';
import { formatCount } from '../../../report/index.ts';
import { print } from '../../../report/terminal.ts';
import { runAction } from '../../../shell/exit.ts';
import { runPipeline } from '../score/index.ts';
import { aggregatedJson, aggregatedSheet } from './aggregate.ts';
import {
  exitWhereUnparsed,
  type OutputFlags,
  type ScoringFlags,
  type TableFlags,
  tableOptions,
  unparsedLine,
  warnAll,
  warnUnparsed,
  withOutputOptions,
  withScoringOptions,
  withTableOptions,
} from './shared.ts';

type PipelineFlags = OutputFlags & ScoringFlags & TableFlags & { results: string };

const NOTES = `
Writes analysis/ (scored copies), combined_metrics.json and the tables: the same as "score bbq", "combine bbq" and
"aggregate bbq" one by one. The model of a file is the folder that it lies in, from --results on.

Examples:
  logit-audit pipeline bbq --results results --out out
  logit-audit pipeline bbq --results results --out original --compat multibbq --include-mid`;

export function addPipelineBbq(group: Command): void {
  const command = group
    .command('bbq')
    .summary("result files of MultiBBQ's kind")
    .description('Scores, combines and aggregates result files.')
    .requiredOption('--results <path>', 'folder with result files at any depth, or one file')
    .requiredOption('--out <folder>', 'where everything goes');
  withOutputOptions(withTableOptions(withScoringOptions(command)))
    .addHelpText('after', NOTES)
    .action((flags: PipelineFlags) =>
      runAction({ json: flags.json === true }, (signal) => pipeline(flags, signal)),
    );
}

async function pipeline(flags: PipelineFlags, signal: AbortSignal): Promise<void> {
  const { results, out, json, parser, tailSlice, score, compat, force } = flags;
  const { scored, aggregated } = await runPipeline(results, out, {
    ...{ parser, tailSlice, score, compat, force, signal },
    ...tableOptions(flags),
  });
  warnAll([...scored.notes, ...aggregated.notes]);
  if (compat !== undefined) warnUnparsed(scored.files);
  exitWhereUnparsed(scored.files, compat !== undefined);
  print(
    json
      ? `${aggregatedJson(out, aggregated)}\n`
      : `${aggregatedSheet(out, aggregated)}\n${formatCount(scored.files.length)} files, ${unparsedLine(scored.files)}\n`,
  );
}
