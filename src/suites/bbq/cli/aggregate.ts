/** `logit-audit aggregate bbq`: combined scores to tables. */
import type { Command } from 'commander';
import { print } from '../../../report/terminal.ts';
import { runAction } from '../../../shell/exit.ts';
import { type Aggregated, aggregateResults } from '../score/index.ts';
import {
  type OutputFlags,
  type TableFlags,
  tableOptions,
  warnAll,
  withOutputOptions,
  withTableOptions,
} from './shared.ts';
import { totalsSheet } from './sheet.ts';

type AggregateFlags = OutputFlags & TableFlags & { results: string };

const NOTES = `
Without --compat: metrics.csv, a row a model, setting, category and metric with interval, and metrics.json.
With --compat multibbq: csv_files/*.csv and metrics_details/*.csv.

Examples:
  logit-audit aggregate bbq --results out/combined_metrics.json --out out
  logit-audit aggregate bbq --results out --out original --compat multibbq --categories gender disability`;

export function addAggregateBbq(group: Command): void {
  const command = group
    .command('bbq')
    .summary('combined_metrics.json of "combine bbq"')
    .description("Makes tables of combined_metrics.json, this program's or the original's.")
    .requiredOption('--results <path>', 'combined_metrics.json, or the folder that it is in')
    .requiredOption('--out <folder>', 'where the tables go');
  withOutputOptions(withTableOptions(command))
    .addHelpText('after', NOTES)
    .action((flags: AggregateFlags) => runAction({ json: flags.json === true }, () => aggregate(flags)));
}

async function aggregate({ results, out, json, compat, force, ...flags }: AggregateFlags): Promise<void> {
  const aggregated = await aggregateResults(results, out, {
    ...tableOptions(flags),
    compat: compat !== undefined,
    force,
  });
  warnAll(aggregated.notes);
  print(`${json ? aggregatedJson(out, aggregated) : aggregatedSheet(out, aggregated)}\n`);
}

export function aggregatedJson(out: string, { files, rows, notes }: Aggregated): string {
  return JSON.stringify({ out, files, notes, metrics: rows }, null, 2);
}

export function aggregatedSheet(out: string, { files, rows }: Aggregated): string {
  return [totalsSheet(rows), '', `written to ${out}: ${files.join(', ') || 'no table'}`].join('\n');
}
