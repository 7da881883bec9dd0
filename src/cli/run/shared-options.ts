/** Options of every `run` command, whatever it runs. */
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { tableFile } from '../../dataset/index.ts';
import { AuditError } from '../../errors.ts';
import type { IntervalOptions } from '../../run/index.ts';
import type { OccupationStatistic } from '../../suite/index.ts';
import { fraction, wholeNumber } from '../options.ts';

/** Headings of help for what every such command has. */
export const GROUP = { intervals: 'Intervals:', engine: 'Model and engine:' } as const;

export interface IntervalFlags {
  ci?: 'cluster' | 'normal' | 'bootstrap';
  level: number;
  seed: number;
}

export function withIntervalOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--ci <method>',
        'intervals of means: rows as clusters, 1.96 standard errors over steps, or rows drawn anew 10,000 times (default: cluster)',
      ).choices(['cluster', 'normal', 'bootstrap']),
    )
    .option('--level <p>', 'level of the intervals', fraction, 0.95)
    .option('--seed <n>', 'seed of what is drawn at random: bootstraps', wholeNumber(0), 0);
}

export function intervalOf({ ci, level, seed }: IntervalFlags): Partial<IntervalOptions> {
  return { level, seed, ...(ci ? { ci } : {}) };
}

export function compatOption(): Option {
  return new Option(
    '--compat <name>',
    'numbers and quirks of the reference project (docs/suites.md); reference.json has its names',
  ).choices(['reference']);
}

const occupationRow = z.looseObject({ occupation: z.string().min(1) });

/**
 * Reads a table of numbers by occupation: a column `occupation`, and every other one whose values are all numbers.
 * Throws `data_malformed` where there is none, and for an occupation that comes twice.
 */
export async function readOccupations(file: string): Promise<OccupationStatistic[]> {
  const rows = await tableFile(file, occupationRow);
  const names = Object.keys(rows[0]!).filter((name) => name !== 'occupation');
  // The year of a figure is no figure.
  const numeric = names.filter(
    (name) =>
      !/(?:^|_)year$/i.test(name) &&
      rows.every((row) => row[name] !== '' && Number.isFinite(Number(row[name] ?? Number.NaN))),
  );
  if (numeric.length === 0) {
    throw new AuditError(
      'data_malformed',
      `${file} has no column of numbers beside occupation (it has ${names.join(', ') || 'no other'}); give one, such as the share of women`,
      { file },
    );
  }
  checkOnce(file, rows);
  return numeric.map((name) => ({
    name,
    values: new Map(rows.map((row) => [row.occupation.toLowerCase(), Number(row[name])])),
  }));
}

/** As the suites look them up: by lower case. */
function checkOnce(file: string, rows: readonly { readonly occupation: string }[]): void {
  const first = new Map<string, number>();
  rows.forEach(({ occupation }, index) => {
    const before = first.get(occupation.toLowerCase());
    if (before !== undefined) {
      throw new AuditError(
        'data_malformed',
        `${file}: row ${index + 1}: ${JSON.stringify(occupation)} is row ${before + 1} already; remove one of the two`,
        { file, index, key: 'occupation' },
      );
    }
    first.set(occupation.toLowerCase(), index);
  });
}
