/** `experiment create`, `update` and `delete`. */

import { formatJson } from '../../../../report/index.ts';
import { print } from '../../../../report/terminal.ts';
import { warn } from '../../../../shell/exit.ts';
import {
  type AxisSettings,
  createExperiment,
  deleteExperiment,
  type ExperimentChanges,
  type SavedExperiment,
  updateExperiment,
} from '../../experiment/index.ts';
import { describeAxes } from './describe.ts';

export interface UpdateFlags {
  json?: boolean;
  set?: Readonly<Record<string, string>>;
  description?: string;
}

export interface CreateFlags extends UpdateFlags {
  from?: string;
}

export async function create(name: string, { from, ...flags }: CreateFlags): Promise<void> {
  const content = { ...(from === undefined ? {} : { from }), ...changesOf(flags) };
  tell(await createExperiment(name, content), 'made', flags);
}

export async function update(name: string, flags: UpdateFlags): Promise<void> {
  const saved = await updateExperiment(name, changesOf(flags));
  if (!flags.json) {
    for (const { key, value } of saved.changes) print(`${key} is now ${value}\n`);
  }
  tell(saved, 'changed', flags);
}

function changesOf({ set, description }: UpdateFlags): ExperimentChanges {
  return {
    // Keys are checked where they are set.
    ...(set === undefined ? {} : { set: set as AxisSettings }),
    ...(description === undefined ? {} : { description }),
  };
}

function tell(saved: SavedExperiment, done: string, { json }: { json?: boolean }): void {
  if (json) {
    print(formatJson(saved));
    return;
  }
  const { name, file, experiment, overridesShipped, warnings } = saved;
  for (const warning of warnings) warn(warning);
  print(`${done} ${name} in ${file}: ${describeAxes(experiment)}\n`);
  if (overridesShipped) print(`it is used instead of the shipped experiment ${name}\n`);
}

export async function remove(name: string, { json }: { json?: boolean }): Promise<void> {
  const deleted = await deleteExperiment(name);
  if (json) {
    print(formatJson(deleted));
    return;
  }
  print(`deleted ${name} from ${deleted.file}\n`);
  if (deleted.shippedRemains) {
    print(`the shipped experiment ${name} is used from now on\n`);
  }
}
