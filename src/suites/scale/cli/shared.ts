/** What the commands over a scale's results share: options, and how notes, gates and files are told. */
import type { Command } from 'commander';
import { formatCount, formatOutOf, formatPercent } from '../../../report/index.ts';
import { printError } from '../../../report/terminal.ts';
import { EXIT, warn } from '../../../shell/exit.ts';
import { fraction, wholeNumber } from '../../../shell/options.ts';
import { ALL_TIERS, belowGate, DEFAULT_ATTRIBUTES, type Ingested } from '../score/index.ts';

export interface ScaleFlags {
  scale: string;
  out: string;
  force?: boolean;
  json?: boolean;
}

export interface ModeFlags {
  subscales?: string[];
  compat?: boolean;
}

export interface IngestFlags {
  results: string;
  idColumn?: string;
  textColumn?: string;
  minParse?: number;
  repair: boolean;
}

export interface ParticipantFlags {
  participants: string;
  participantColumn?: string;
  attributes?: string;
  by?: string[];
}

export interface TableFlags {
  level?: number;
  resamples?: number;
  seed?: number;
  minGroup?: number;
  baseline?: string;
}

/** A command over results of a scale; `out` says what --out is. */
export function scaleCommand(group: Command, summary: string, description: string, out: string): Command {
  return group
    .command('scale')
    .summary(summary)
    .description(description)
    .requiredOption('--scale <name>', 'scale by name or path ("logit-audit scale list")')
    .requiredOption('--out <path>', out);
}

export function withModeOptions(command: Command): Command {
  return command
    .option('--subscales <names...>', 'subscales that models were asked for (default: what the scale says)')
    .option('--compat', 'as the original program does it, quirks included: same files, columns and numbers');
}

export function withIngestOptions(command: Command): Command {
  return command
    .requiredOption('--results <file>', "models' texts by case id: CSV, or whatever rows can be read from")
    .option('--id-column <name>', 'column of the case ids, PARTICIPANT__TIER (default: caseid)')
    .option('--text-column <name>', 'column of the texts (default: generated_text)')
    .option('--min-parse <share>', 'fail if fewer answers than this share are read, in any tier', fraction)
    .option(
      '--no-repair',
      'take JSON that needs a light repair (a trailing comma, single quotes) for an error',
    );
}

export function withParticipantOptions(command: Command): Command {
  return command
    .requiredOption(
      '--participants <file>',
      'what participants answered: a column an item, and what they are sliced by',
    )
    .option('--participant-column <name>', "column of the participants' ids (default: participant_id)")
    .option(
      '--attributes <name>',
      `what is known of their columns, by name or path (default: ${DEFAULT_ATTRIBUTES})`,
    )
    .option('--by <names...>', 'attributes or columns to slice by (default: all attributes that there are)');
}

export function withTableOptions(command: Command): Command {
  return command
    .option('--level <p>', 'level of the intervals (default: 0.95)', fraction)
    .option(
      '--resamples <n>',
      'draws of the bootstrap (default: 10000; above 1000 participants fewer, 1000 at least)',
      wholeNumber(1),
    )
    .option('--seed <n>', 'seed of the bootstrap (default: 0)', wholeNumber(0))
    .option('--min-group <n>', 'fewest rows of a group in gaps and tests (default: 2)', wholeNumber(1))
    .option('--baseline <tier>', 'tier that gaps are measured against (default: the first of the scale)');
}

export function withOutputOptions(command: Command): Command {
  return command
    .option('--force', 'replace files that are there')
    .option('--json', 'print the result as JSON');
}

export function warnAll(notes: readonly string[]): void {
  for (const note of notes) warn(note);
}

/** The command fails, with what was made left in place, where nothing could be read or too little of it. */
export function judgeIngest({ rows, parsed, parseSuccess }: Ingested, minParse: number | undefined): void {
  if (parsed === 0) {
    fail(
      `none of ${formatCount(rows)} answers could be read; error and raw_response of the predictions say why`,
    );
    return;
  }
  const below = minParse === undefined ? [] : belowGate(parseSuccess, minParse);
  if (below.length === 0) return;
  const told = below.map((success) => {
    const name = success.tier === ALL_TIERS ? 'all tiers' : success.tier;
    return `${name} ${formatPercent(success.parse_success)} (${formatOutOf(success.parsed, success.rows)})`;
  });
  fail(`fewer answers were read than --min-parse ${minParse} asks for: ${told.join(', ')}`);
}

function fail(message: string): void {
  process.exitCode = EXIT.failed;
  printError(`logit-audit: ${message}\n`);
}
