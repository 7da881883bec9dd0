/** What the commands over MultiBBQ's result files share: options, and how notes and numbers are printed. */
import { type Command, Option } from 'commander';
import {
  LETTER_PARSERS,
  type LetterParser,
  UNPARSED_REASONS,
  type UnparsedReason,
} from '../../../parse/index.ts';
import { formatCount, formatOutOf, formatPercent } from '../../../report/index.ts';
import { EXIT, warn } from '../../../shell/exit.ts';
import { wholeNumber } from '../../../shell/options.ts';
import {
  COMPATIBLE,
  type Compatibility,
  type ScoredFile,
  scoreChoices,
  type Unparsed,
} from '../score/index.ts';

/** PluRule's knows no answer for unknown. */
const BBQ_PARSERS = LETTER_PARSERS.filter((parser) => parser !== 'plurule');

export interface OutputFlags {
  out: string;
  compat?: Compatibility;
  force?: boolean;
  json?: boolean;
}

export interface ScoringFlags {
  parser?: LetterParser;
  tailSlice?: number;
  score: string;
}

export interface TableFlags {
  categories?: string[];
  includeMid?: boolean;
  subcategoryOrder?: string[];
  modelName?: string;
}

export function withScoringOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--parser <parser>',
        'how answers are read (default: anchored; with --compat, v1.0)',
      ).choices(BBQ_PARSERS),
    )
    .option(
      '--tail-slice <n>',
      'v1.0 and v1.1: unknown phrases count only in the last n characters of an answer',
      wholeNumber(1),
    )
    .addOption(
      new Option('--score <field>', 'one field, or all; what is unparsed is always shown')
        .choices(scoreChoices())
        .default('all'),
    );
}

export function withTableOptions(command: Command): Command {
  return command
    .option(
      '--categories <names...>',
      'categories to show (default: all in the data; with --compat, the four)',
    )
    .option(
      '--include-mid',
      'with --compat: the means of both polarities too; without, they are always there',
    )
    .option(
      '--subcategory-order <names...>',
      'with --compat: columns of the table of averages (Gender Race ...)',
    )
    .option('--model-name <name>', 'model of files that lie in no folder (default: what their names say)');
}

export function withCompat(command: Command): Command {
  return command.addOption(
    new Option('--compat <program>', 'write what that program writes, quirks included').choices(COMPATIBLE),
  );
}

export function withOutputOptions(command: Command): Command {
  return withCompat(command)
    .option('--force', 'replace files that are there')
    .option('--json', 'print the result as JSON');
}

export function tableOptions({ categories, includeMid, subcategoryOrder, modelName }: TableFlags) {
  return { categories, includeMid, averaged: subcategoryOrder, modelName };
}

export function warnAll(notes: readonly string[]): void {
  for (const note of notes) warn(note);
}

/** "12 of 60 answers unparsed (20.0 %): 10 refusal, 2 ambiguous"; null where it is not known. */
export function unparsedLine(files: readonly ScoredFile[]): string | null {
  let rows = 0;
  let unparsed = 0;
  const reasons: Record<string, number> = {};
  for (const { overall } of files) {
    if (overall.rows === null || overall.unparsed === null) return null;
    rows += overall.rows;
    unparsed += overall.unparsed;
    for (const [reason, count] of Object.entries(overall.unparsedReasons ?? {})) {
      reasons[reason] = (reasons[reason] ?? 0) + count;
    }
  }
  const why = reasonsText(reasons);
  const share = `${formatOutOf(unparsed, rows)} answers unparsed (${formatPercent(unparsed / rows)})`;
  return why === '' ? share : `${share}: ${why}`;
}

const WORDS: Readonly<Record<UnparsedReason, string>> = {
  no_text: 'no text',
  no_answer: 'no answer in the text',
  ambiguous: 'ambiguous',
  refusal: 'refusal',
  not_offered: 'not an option',
  unfinished: 'unfinished',
};

/** "58 refusal, 2 ambiguous", the most frequent first; empty where there are none. */
export function reasonsText(reasons: Unparsed): string {
  return UNPARSED_REASONS.flatMap((reason) => {
    const count = reasons[reason] ?? 0;
    return count === 0 ? [] : [{ count, words: WORDS[reason] }];
  })
    .sort((a, b) => b.count - a.count)
    .map(({ count, words }) => `${formatCount(count)} ${words}`)
    .join(', ');
}

/** In compatibility mode the tables do not show it, so it is said. */
export function warnUnparsed(files: readonly ScoredFile[]): void {
  const lines = unparsedLine(files);
  if (lines === null || files.every(({ overall }) => overall.unparsed === 0)) return;
  warn(`${lines}; they are in no denominator, and a share without rows is written as 0.0`);
}

/** A run in which no answer could be read has measured nothing; the original's own mode does not tell. */
export function exitWhereUnparsed(files: readonly ScoredFile[], compat: boolean): void {
  if (!compat && files.every(({ overall }) => overall.unparsed === overall.rows))
    process.exitCode = EXIT.failed;
}
