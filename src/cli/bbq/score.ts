/** `logit-audit score bbq`: result files of MultiBBQ's kind to scores, without a model. */
import type { Command } from 'commander';
import { originalBlock, pythonJson, type Scored, scoreResults, valuesBlock } from '../../bbq/index.ts';
import { formatCount } from '../../report/index.ts';
import { runAction } from '../exit.ts';
import {
  type OutputFlags,
  type ScoringFlags,
  unparsedLine,
  warnAll,
  warnUnparsed,
  withOutputOptions,
  withScoringOptions,
} from './shared.ts';
import { fileSheet, filesSheet } from './sheet.ts';

type ScoreFlags = Omit<OutputFlags, 'out'> & ScoringFlags & { results: string; out?: string };

const NOTES = `
A result file is {"data": [rows]}, a list of rows, or JSON Lines; its name says what was asked:
  MODEL_SIZE_{visual_language|visual_only|text}_{negative|nonnegative}_{ambiguous|disambiguous}.json
A row has category, pred, unk_label_idx, stereotype_group_idx, nonstereotype_group_idx, for a disambiguated context
correct_option_idx, and options where there are not three. A file's scored copy is NAME_w_metrics.json.

Examples:
  logit-audit score bbq --results results/main --out out/analysis
  logit-audit score bbq --results results/main/org/M-7B/M_7B_visual_only_negative_ambiguous.json`;

const PRINT_INDENT = 2;

export function addScoreBbq(group: Command): void {
  const command = group
    .command('bbq')
    .summary("result files of MultiBBQ's kind")
    .description(
      'Scores result files: fairness, bias, unknown and unparsed answers, by category and overall.',
    )
    .requiredOption('--results <path>', 'a result file, or a folder with result files at any depth')
    .option('--out <folder>', 'where the scored copies go (default: none are written)');
  withOutputOptions(withScoringOptions(command))
    .addHelpText('after', NOTES)
    .action((flags: ScoreFlags) =>
      runAction({ json: flags.json === true }, (signal) => score(flags, signal)),
    );
}

async function score({ results, out, json, ...options }: ScoreFlags, signal: AbortSignal): Promise<void> {
  const scored = await scoreResults(results, out ?? null, { ...options, signal });
  warnAll(scored.notes);
  if (scored.scoring.compat) warnUnparsed(scored.files);
  process.stdout.write(
    `${json || (scored.scoring.compat && scored.single) ? asJson(scored) : sheet(scored, out)}\n`,
  );
}

function asJson({ files, single, scoring }: Scored): string {
  const blocks = files.map((file) => ({
    name: file.name,
    block: scoring.compat ? originalBlock(file, 'own') : valuesBlock(file),
  }));
  const whole = single ? blocks[0]!.block : blocks.map(({ name, block }) => ({ json_name: name, ...block }));
  return scoring.compat
    ? pythonJson(whole as Parameters<typeof pythonJson>[0], PRINT_INDENT)
    : JSON.stringify(whole, null, PRINT_INDENT);
}

function sheet({ files, single }: Scored, out: string | undefined): string {
  return [
    single ? fileSheet(files[0]!) : filesSheet(files),
    '',
    `${formatCount(files.length)} scored, ${unparsedLine(files)}`,
    ...(out === undefined ? [] : [`scored copies in ${out}`]),
  ].join('\n');
}
