/** Commands that hold subcommands for several kinds of results: `score bbq` beside others. */
import type { Command } from 'commander';

const GROUPS = {
  ingest: {
    summary: "read models' texts into predictions",
    examples: ['ingest scale --scale prca-24 --results results.csv --out predictions.csv'],
  },
  evaluate: {
    summary: 'hold predictions against what is true',
    examples: [
      'evaluate scale --scale prca-24 --predictions predictions.csv --participants participants.csv --out out',
    ],
  },
  score: {
    summary: 'score answers that are there already, without a model',
    examples: [
      'score bbq --results results --out scores',
      'score rules --results reasoning_val.json --out scores',
    ],
  },
  combine: {
    summary: 'put the scores of many files into one',
    examples: ['combine bbq --results scores --out out'],
  },
  aggregate: {
    summary: 'make tables of combined scores',
    examples: [
      'aggregate bbq --results out/combined_metrics.json --out out',
      'aggregate scale --scale prca-24 --evaluation out --out out',
    ],
  },
  pipeline: {
    summary: 'from answers that are there to tables in one go',
    examples: [
      'pipeline bbq --results results --out out',
      'pipeline scale --scale prca-24 --results results.csv --participants participants.csv --out out',
    ],
  },
} as const;

/** A group of the program; made where it is not there yet. */
export function commandGroup(program: Command, group: keyof typeof GROUPS): Command {
  const there = program.commands.find((command) => command.name() === group);
  if (there !== undefined) return there;
  const { summary, examples } = GROUPS[group];
  return program
    .command(group)
    .summary(summary)
    .description(`${summary[0]!.toUpperCase()}${summary.slice(1)}.`)
    .addHelpText('after', ['\nExamples:', ...examples.map((one) => `  logit-audit ${one}`)].join('\n'));
}
