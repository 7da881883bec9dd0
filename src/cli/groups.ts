/** Commands that hold subcommands for several kinds of results: `score bbq` beside others. */
import type { Command } from 'commander';

const SUMMARIES = {
  ingest: "read models' texts into predictions",
  evaluate: 'hold predictions against what is true',
  score: 'score answers that are there already, without a model',
  combine: 'put the scores of many files into one',
  aggregate: 'make tables of combined scores',
  pipeline: 'from answers that are there to tables in one go',
} as const;

/** A group of the program; made where it is not there yet. */
export function commandGroup(program: Command, group: keyof typeof SUMMARIES): Command {
  const there = program.commands.find((command) => command.name() === group);
  if (there !== undefined) return there;
  const summary = SUMMARIES[group];
  return program
    .command(group)
    .summary(summary)
    .description(`${summary[0]!.toUpperCase()}${summary.slice(1)}.`);
}
