/** `--spreadsheet-safe`: CSV files that people open in spreadsheets, which run text that looks like a formula. */
import type { Command } from 'commander';
import { guardSpreadsheets } from '../report/index.ts';

/** Commands, and groups of them, that write CSV files. */
const WRITERS = ['run', 'compare', 'swap', 'metrics', 'ingest', 'evaluate', 'score', 'aggregate', 'pipeline'];

const DESCRIPTION =
  'in CSV files, put an apostrophe before text that a spreadsheet would run as a formula (= + - @); numbers stay as they are, and other commands read the apostrophe as text';

/** Gives every command of the program that writes CSV files the option. */
export function addSpreadsheetOption(program: Command): void {
  for (const group of program.commands.filter((command) => WRITERS.includes(command.name()))) {
    const writers = group.commands.length === 0 ? [group] : group.commands;
    for (const command of writers) command.option('--spreadsheet-safe', DESCRIPTION);
  }
  program.hook('preAction', (_, command) => guardSpreadsheets(command.opts().spreadsheetSafe === true));
}
