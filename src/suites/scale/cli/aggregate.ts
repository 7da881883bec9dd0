/** `logit-audit aggregate scale`: an evaluation to tables. */
import type { Command } from 'commander';
import { formatJson } from '../../../report/index.ts';
import { print } from '../../../report/terminal.ts';
import { runAction } from '../../../shell/exit.ts';
import { loadScale } from '../data/index.ts';
import { aggregateEvaluation } from '../score/index.ts';
import {
  type ScaleFlags,
  scaleCommand,
  type TableFlags,
  withOutputOptions,
  withTableOptions,
} from './shared.ts';
import { tablesJson, tablesSheet } from './sheet.ts';

type Flags = ScaleFlags & TableFlags & { evaluation: string };

const NOTES = `
Writes summary.csv, by_group.csv, gaps.csv, gap_deltas.csv, association.csv and a confusion_SUBSCALE.csv each: long tables, each
number with its n and its interval. Of an evaluation made with --compat, the original's tables.

Example:
  logit-audit aggregate scale --scale prca-24 --evaluation out --out out --min-group 5`;

export function addAggregateScale(group: Command): void {
  const command = scaleCommand(
    group,
    'an evaluation of "evaluate scale"',
    'Makes tables of an evaluation: errors by tier and group, gaps, and tests.',
    'the folder that the tables go into',
  ).requiredOption('--evaluation <folder>', 'folder that "evaluate scale" wrote');
  withOutputOptions(withTableOptions(command))
    .addHelpText('after', NOTES)
    .action((flags: Flags) =>
      runAction({ json: flags.json === true }, async (signal) => {
        const { scale, evaluation, out, json, ...options } = flags;
        const { files, tables } = await aggregateEvaluation(await loadScale(scale), evaluation, out, {
          ...options,
          signal,
        });
        const written = `written to ${out}: ${files.join(', ')}`;
        const sheet = tables === null ? written : `${tablesSheet(tables)}\n\n${written}`;
        const result = { out, files, ...(tables === null ? {} : tablesJson(tables)) };
        print(json ? formatJson(result) : `${sheet}\n`);
      }),
    );
}
