/** `logit-audit scale`: questionnaires kept as data, looked at, changed and checked. */

import type { Command } from 'commander';
import { runAction } from '../../../../shell/exit.ts';
import { tellFindings } from '../../../../shell/findings.ts';
import { setting } from '../../../../shell/options.ts';
import { validateScale } from '../../data/index.ts';
import { type CreateFlags, create, remove, type UpdateFlags, update } from './change.ts';
import { CREATE, DELETE, LIST, OVERVIEW, SHOW, UPDATE, VALIDATE } from './help.ts';
import { list, show } from './look.ts';

export async function validate(targets: readonly string[], flags: { json?: boolean }): Promise<void> {
  await tellFindings(targets, (target) => validateScale(target), flags);
}

interface JsonFlag {
  json?: boolean;
}

export function addScaleCommand(program: Command): void {
  const scale = program
    .command('scale')
    .summary('questionnaires: list, make, change, check')
    .description(
      'Scales are questionnaires: labels of answers, items, subscales, bands, and how models are asked.',
    )
    .addHelpText('after', OVERVIEW);
  addLook(scale);
  addChange(scale);
}

function addLook(scale: Command): void {
  scale
    .command('list')
    .summary('which scales there are')
    .description('Lists the shipped scales and your own, scales/NAME.yaml in the working folder.')
    .option('--json', 'print the list as JSON')
    .addHelpText('after', LIST)
    .action((flags: JsonFlag) => runAction({ json: flags.json === true }, () => list(flags)));
  scale
    .command('show')
    .summary('print a scale')
    .description('Prints the file of a scale as it is, comments and all.')
    .argument('<scale>', 'name or path')
    .option('--json', 'print what was read from it as JSON')
    .option('--schema', 'print what a model must answer, as "parse json --schema" reads it')
    .addHelpText('after', SHOW)
    .action((name: string, flags: JsonFlag & { schema?: boolean }) =>
      runAction({ json: flags.json === true }, () => show(name, flags)),
    );
  scale
    .command('validate')
    .summary('check scales')
    .description('Prints every fault of each scale with its line, and what is allowed but may not be meant.')
    .argument('<scale...>', 'names or paths')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', VALIDATE)
    .action((targets: string[], flags: JsonFlag) =>
      runAction({ json: flags.json === true }, () => validate(targets, flags)),
    );
}

function withChanges(command: Command): Command {
  return command
    .option('--set <key=value>', 'set a key; may be repeated', setting('bands.low.upTo=12'))
    .option('--unset <key...>', 'take keys out')
    .option('--title <text>', 'what the scale is called')
    .option('--source <text>', 'who published it, and whose the key is')
    .option('--json', 'print what was done as JSON');
}

function addChange(scale: Command): void {
  const creating = scale
    .command('create')
    .summary('make a scale of your own')
    .description('Makes scales/NAME.yaml in the working folder: a copy of another scale, with what is set.')
    .argument('<name>', 'letters, digits, _ and -')
    .requiredOption('--from <scale>', 'name or path of the scale to copy, comments and all');
  withChanges(creating)
    .addHelpText('after', CREATE)
    .action((name: string, flags: CreateFlags) =>
      runAction({ json: flags.json === true }, () => create(name, flags)),
    );
  const updating = scale
    .command('update')
    .summary('change a scale of your own')
    .description('Changes scales/NAME.yaml in the working folder. Shipped scales stay.')
    .argument('<name>', 'name of the scale');
  withChanges(updating)
    .addHelpText('after', UPDATE)
    .action((name: string, flags: UpdateFlags) =>
      runAction({ json: flags.json === true }, () => update(name, flags)),
    );
  scale
    .command('delete')
    .summary('delete a scale of your own')
    .description('Deletes scales/NAME.yaml in the working folder. Shipped scales stay.')
    .argument('<name>', 'name of the scale')
    .option('--json', 'print what was deleted as JSON')
    .addHelpText('after', DELETE)
    .action((name: string, flags: JsonFlag) =>
      runAction({ json: flags.json === true }, () => remove(name, flags)),
    );
}
