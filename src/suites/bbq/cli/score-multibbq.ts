/** `logit-audit score bbq`: result files of MultiBBQ's kind to scores, without a model. */
import type { Command } from 'commander';
import { AuditError } from '../../../errors.ts';
import { formatCount, pythonJson } from '../../../report/index.ts';
import { print } from '../../../report/terminal.ts';
import { originalBlock, type Scored, scoreResults, valuesBlock } from '../score/index.ts';
import {
  exitWhereUnparsed,
  type OutputFlags,
  type ScoringFlags,
  unparsedLine,
  warnAll,
  warnUnparsed,
  withCompat,
  withScoringOptions,
} from './shared.ts';
import { fileSheet, filesSheet } from './sheet.ts';

/** Flags of `score bbq` that this format reads; those of other formats may stand beside them. */
export interface MultibbqFlags extends ScoringFlags, Omit<OutputFlags, 'out'> {
  results: readonly string[];
  out?: string;
}

export const MULTIBBQ_NOTES = `
Result files of MultiBBQ's kind (--format multibbq): {"data": [rows]}, a list of rows, or JSON Lines. The name says what
was asked: MODEL_SIZE_{visual_language|visual_only|text}_{negative|nonnegative}_{ambiguous|disambiguous}.json
  A row has category, pred, unk_label_idx, stereotype_group_idx, nonstereotype_group_idx, for a disambiguated context
  correct_option_idx, and options where there are not three. The scored copy of a file is NAME_w_metrics.json.

Examples:
  logit-audit score bbq --results results/main --out out/analysis
  logit-audit score bbq --results results/main/org/M-7B/M_7B_visual_only_negative_ambiguous.json`;

const PRINT_INDENT = 2;

/** Adds the options of this format; gives what scores it. */
export function addMultibbqScore(bbq: Command): (flags: MultibbqFlags, signal: AbortSignal) => Promise<void> {
  withCompat(withScoringOptions(bbq));
  return score;
}

async function score(flags: MultibbqFlags, signal: AbortSignal): Promise<void> {
  const { out, json, parser, tailSlice, score, compat, force } = flags;
  const [results, ...more] = flags.results;
  if (results === undefined || more.length > 0) {
    throw new AuditError(
      'bad_argument',
      'give --results one result file, or one folder of them; several files are for --format bbq',
      {
        flag: '--results',
      },
    );
  }
  const options = { parser, tailSlice, score, compat, force, signal };
  const scored = await scoreResults(results, out ?? null, options);
  warnAll(scored.notes);
  if (compat !== undefined) warnUnparsed(scored.files);
  exitWhereUnparsed(scored.files, compat !== undefined);
  const printsJson = json || (compat !== undefined && scored.single);
  print(`${printsJson ? asJson(scored) : sheet(scored, out)}\n`);
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
