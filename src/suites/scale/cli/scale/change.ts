/** `scale create`, `update` and `delete`. */
import { formatJson } from '../../../../report/index.ts';
import { print } from '../../../../report/terminal.ts';
import {
  createScale,
  deleteScale,
  readSetting,
  type SavedScale,
  type ScaleChanges,
  updateScale,
} from '../../data/index.ts';
import { describeSubscales } from './look.ts';

export interface UpdateFlags {
  json?: boolean;
  set?: Readonly<Record<string, string>>;
  unset?: readonly string[];
  title?: string;
  source?: string;
}

export interface CreateFlags extends UpdateFlags {
  from: string;
}

export async function create(name: string, { from, ...flags }: CreateFlags): Promise<void> {
  tell(await createScale(name, { from, ...changesOf(flags) }), 'made', flags);
}

export async function update(name: string, flags: UpdateFlags): Promise<void> {
  const saved = await updateScale(name, changesOf(flags));
  if (!flags.json) for (const change of saved.changes) print(`${change}\n`);
  tell(saved, 'changed', flags);
}

function changesOf({ set = {}, unset = [], title, source }: UpdateFlags): ScaleChanges {
  return {
    unset,
    set: {
      ...Object.fromEntries(Object.entries(set).map(([key, text]) => [key, readSetting(key, text)])),
      ...(title === undefined ? {} : { title }),
      ...(source === undefined ? {} : { source }),
    },
  };
}

function tell(saved: SavedScale, done: string, { json }: { json?: boolean }): void {
  const { name, file, scale, overridesShipped } = saved;
  if (json) {
    const { scale: _, ...rest } = saved;
    print(formatJson({ ...rest, sha256: scale.sha256 }));
    return;
  }
  print(`${done} ${file}: ${describeSubscales(scale)}\n`);
  if (overridesShipped) print(`it is used instead of the shipped scale ${name}\n`);
}

export async function remove(name: string, { json }: { json?: boolean }): Promise<void> {
  const deleted = await deleteScale(name);
  if (json) {
    print(formatJson(deleted));
    return;
  }
  print(`deleted ${deleted.file}\n`);
  if (deleted.shippedRemains) print(`the shipped scale ${name} is used from now on\n`);
}
