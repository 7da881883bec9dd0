/** `logit-audit experiment`: the rows that `--experiment` takes, looked at and changed as data. */

import type { Command } from 'commander';
import { runAction } from '../../../../shell/exit.ts';
import { tellFindings } from '../../../../shell/findings.ts';
import { setting } from '../../../../shell/options.ts';
import { defaultTable, validateExperiments } from '../../experiment/index.ts';
import { type CreateFlags, create, remove, type UpdateFlags, update } from './change.ts';
import { CREATE, DELETE, LIST, OVERVIEW, SHOW, UPDATE, VALIDATE } from './help.ts';
import { list, show } from './look.ts';

export async function validate(targets: readonly string[], flags: { json?: boolean }): Promise<void> {
  if (targets.length > 0) {
    await tellFindings(targets, (target) => validateExperiments(target), flags);
    return;
  }
  await tellFindings([await defaultTable()], () => validateExperiments(), flags);
}

interface JsonFlag {
  json?: boolean;
}

export function addExperimentCommand(program: Command): void {
  const experiment = program
    .command('experiment')
    .summary('settings of the bbq suite: list, make, change, check')
    .description(
      'Experiments are named settings of the bbq suite: where texts and images come from, and how it asks.',
    )
    .addHelpText('after', OVERVIEW);
  addLook(experiment);
  addChange(experiment);
}

function addLook(experiment: Command): void {
  experiment
    .command('list')
    .summary('which experiments there are')
    .description(
      'Lists the shipped experiments and your own, those of experiments/bbq.yaml in the working folder.',
    )
    .option('--json', 'print the list as JSON')
    .addHelpText('after', LIST)
    .action((flags: JsonFlag) => runAction({ json: flags.json === true }, () => list(flags)));
  experiment
    .command('show')
    .summary('print an experiment')
    .description('Prints every key of an experiment with its value and what that means.')
    .argument('<name>', 'name of the experiment')
    .option('--json', 'print it as JSON')
    .addHelpText('after', SHOW)
    .action((name: string, flags: JsonFlag) =>
      runAction({ json: flags.json === true }, () => show(name, flags)),
    );
  experiment
    .command('validate')
    .summary('check tables of experiments')
    .description('Prints every fault of each table with its line, and what is allowed but may not be meant.')
    .argument('[target...]', 'paths of tables, or names of experiments')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', VALIDATE)
    .action((targets: string[], flags: JsonFlag) =>
      runAction({ json: flags.json === true }, () => validate(targets, flags)),
    );
}

function addChange(experiment: Command): void {
  experiment
    .command('create')
    .summary('make an experiment of your own')
    .description(
      'Adds a row to experiments/bbq.yaml in the working folder: a copy of another experiment, with what is set. Its token is its name unless set.',
    )
    .argument('<name>', 'letters, digits, _ and -')
    .option('--from <experiment>', 'experiment to copy (default: main)')
    .option('--set <key=value>', 'set a key; may be repeated', setting('image=aug'))
    .option('--description <text>', 'what the experiment is for')
    .option('--json', 'print what was made as JSON')
    .addHelpText('after', CREATE)
    .action((name: string, flags: CreateFlags) =>
      runAction({ json: flags.json === true }, () => create(name, flags)),
    );
  experiment
    .command('update')
    .summary('change an experiment of your own')
    .description('Changes a row of experiments/bbq.yaml in the working folder. Shipped experiments stay.')
    .argument('<name>', 'name of the experiment')
    .option('--set <key=value>', 'set a key; may be repeated', setting('image=aug'))
    .option('--description <text>', 'what the experiment is for')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', UPDATE)
    .action((name: string, flags: UpdateFlags) =>
      runAction({ json: flags.json === true }, () => update(name, flags)),
    );
  experiment
    .command('delete')
    .summary('delete an experiment of your own')
    .description('Takes a row out of experiments/bbq.yaml in the working folder. Shipped experiments stay.')
    .argument('<name>', 'name of the experiment')
    .option('--json', 'print what was deleted as JSON')
    .addHelpText('after', DELETE)
    .action((name: string, flags: JsonFlag) =>
      runAction({ json: flags.json === true }, () => remove(name, flags)),
    );
}
