/** Options of every `run` command, whatever it runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AuditError } from '../../errors.ts';
import type { IntervalOptions, SampleChoice } from '../../run/index.ts';
import { fraction, wholeNumber } from '../options.ts';

/** Headings of help for what every such command has. */
export const GROUP = {
  intervals: 'Intervals:',
  engine: 'Model and engine:',
  endpoint: 'API models (openai:MODEL):',
} as const;

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
    .option('--seed <n>', 'seed of what is drawn at random: bootstraps, --sample', wholeNumber(0), 0);
}

export interface ClusterFlag {
  cluster?: readonly string[];
}

/** Of commands whose rows are those of the data. */
export function clusterOption(): Option {
  return new Option(
    '--cluster <columns>',
    "column of the data whose rows belong together, or two that cross as A,B; none: each row by itself (default: the suite's own)",
  ).argParser(columnsOf);
}

function columnsOf(given: string): readonly string[] {
  if (given === 'none') return [];
  const columns = given.split(',').map((column) => column.trim());
  if (!columns.includes('')) return columns;
  throw new InvalidArgumentError('Give a column, two as A,B, or none.');
}

export function intervalOf({ ci, level, seed }: IntervalFlags): Partial<IntervalOptions> {
  return { level, seed, ...(ci ? { ci } : {}) };
}

export interface FolderFlags {
  out?: string;
  resume?: boolean;
}

/** `where` it was stopped. */
export function resumeOption(where = 'in --out'): Option {
  return new Option(
    '--resume',
    `resume what was stopped ${where}, with the same data, model and options; where nothing is there yet, begin`,
  );
}

/** Throws `bad_argument` where it is not said what to resume. */
export function checkResume({ out, resume }: FolderFlags): void {
  if (!resume || out !== undefined) return;
  throw new AuditError('bad_argument', '--resume needs the folder of the run; give it as --out', {
    key: 'out',
  });
}

/** Folder of a panel: the given one, or one below runs/ under its id. */
export function folderOf(flags: FolderFlags, id: () => string): string {
  checkResume(flags);
  return flags.out ?? `runs/${id()}`;
}

/** The first of the data, in their order: quick, and no sample. */
export function limitOption(what: string, of = ''): Option {
  return new Option(
    `--limit <${what}>`,
    `only the first ${what}${of}, in the order of the data: for a try, and no sample (see --sample)`,
  ).argParser(wholeNumber(1));
}

export function sampleOption(what: string, of = ''): Option {
  return new Option(
    `--sample <${what}>`,
    `a random sample of so many ${what}${of} by --seed, in the proportions of the slices; rows that belong together stay whole`,
  ).argParser(wholeNumber(1));
}

/** The sample that the flags ask for, as options of a run. */
export function sampleFlag({ sample, seed }: { sample?: number; seed: number }): { sample?: SampleChoice } {
  return sample === undefined ? {} : { sample: { rows: sample, seed } };
}

export function compatOption(): Option {
  return new Option(
    '--compat <name>',
    'numbers and quirks of the reference project (docs/suites.md); reference.json has its names',
  ).choices(['reference']);
}
