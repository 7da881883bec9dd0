/** `logit-audit run`: a subcommand for each suite, made of the suite's own table. */
import type { Command } from 'commander';
import { WINGS } from '../../suites/commands.ts';
import { findSuite, suiteNames } from '../../suites/registry.ts';
import { addPanelCommand } from './panel-command.ts';
import { addSuiteCommand } from './suite-command.ts';

const EXAMPLES = `
Examples:
  logit-audit run ctf --model model.gguf --data pairs.jsonl
  logit-audit run crows --model model.gguf --data crows_pairs_anonymized.csv
  logit-audit run ctf --help                                        what a suite reads, and its options

Exit codes: 0 done (failed rows are counted), 1 nothing could be measured, 2 bad input, 3 disk full, 130 interrupted.`;

export function addRunCommand(program: Command): void {
  const run = program
    .command('run')
    .summary('audit a model on a data file')
    .description(
      'Runs a suite over its data and writes a folder with every row, the metrics and how they came about.',
    )
    .addHelpText('after', EXAMPLES);
  const names = suiteNames();
  for (const name of names) {
    const wing = WINGS.find((one) => one.name === name);
    if (wing) wing.run(run);
    else addSuiteCommand(run, findSuite(name));
  }
  for (const wing of WINGS) if (!names.includes(wing.name)) wing.run(run);
  addPanelCommand(run);
}
