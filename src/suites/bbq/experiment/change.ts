/**
 * Changes to the user's own table of experiments. Each is made on the document, read anew, and written only if the row is
 * right; faults of other rows are left as they are, so that rows can be mended one by one.
 */

import { oneAtATime, PLAIN_NAME, unwrittenFile } from '../../../catalog/index.ts';
import { AuditError } from '../../../errors.ts';
import { writeAtomic } from '../../../files/atomic.ts';
import { type AxisKey, type AxisValues, isAxisKey, readAxis } from './axes.ts';
import { NEW_TABLE, TableEditor } from './editor.ts';
import { axisValues, type Experiment, toExperiment } from './experiment.ts';
import { type ExperimentFolder, ownTablePath, readOwnBytes } from './locate.ts';
import { DESCRIPTION_KEY, parseTable, unknownKey } from './parse.ts';
import {
  invalidExperiments,
  listExperiments,
  requireReadable,
  resolveExperiment,
  shippedExperiments,
  unknownExperiment,
} from './table.ts';
import { sameFolderWarning } from './validate.ts';

/** Axes to set, by the keys of the files; text of a command line is read as in a file. */
export type AxisSettings = { readonly [K in AxisKey]?: AxisValues[K] | string };

export interface ExperimentChanges {
  readonly set?: AxisSettings;
  /** What the experiment is for; not empty. */
  readonly description?: string;
}

export interface ExperimentContent extends ExperimentChanges {
  /** The experiment whose axes are copied, all but `token`; `main` unless said. */
  readonly from?: string;
}

export interface SavedExperiment {
  readonly name: string;
  readonly file: string;
  /** Is it used instead of a shipped one? */
  readonly overridesShipped: boolean;
  readonly experiment: Experiment;
  /** What is allowed but may not be meant. */
  readonly warnings: readonly string[];
}

export interface UpdatedExperiment extends SavedExperiment {
  readonly changes: readonly { readonly key: string; readonly value: string | boolean }[];
}

export interface DeletedExperiment {
  readonly name: string;
  readonly file: string;
  /** Is there a shipped one of the same name, which is used from now on? */
  readonly shippedRemains: boolean;
}

/**
 * Adds a row to the user's own table, `experiments/bbq.yaml` in the working folder, which is made if need be. Its token is
 * its name unless set, so that its results do not mix with those of what it was copied from. A shipped name is allowed
 * and overrides that one here. Errors: `output_exists` for a name that the table has; `bad_argument` (name, keys, values,
 * `from`); `experiment_invalid` for axes that make no sense together, and for a file that is no table;
 * `file_unreadable`, `file_unwritable`. On any of them nothing is written.
 */
export function createExperiment(
  name: string,
  { from = 'main', set = {}, description }: ExperimentContent = {},
  options: ExperimentFolder = {},
): Promise<SavedExperiment> {
  return oneAtATime(ownTablePath(options), async () => {
    checkName(name);
    const settings = readSettings(set);
    const table = await openTable(options);
    if (table.names.includes(name)) {
      const message = `${table.file} has an experiment ${name}; change it with "experiment update", or delete it first`;
      throw new AuditError('output_exists', message, { file: table.file, name });
    }
    const copied = axisValues(await resolveExperiment(from, options));
    const values = { ...copied, token: name, ...settings };
    table.editor.addRow(name, values, description ?? null);
    return await save(name, table, options);
  });
}

/**
 * Sets axes of a row of the user's own table; comments stay. Errors: `bad_argument` for a shipped row, keys, values, and
 * nothing to change; otherwise those of {@link createExperiment}.
 */
export function updateExperiment(
  name: string,
  { set = {}, description }: ExperimentChanges,
  options: ExperimentFolder = {},
): Promise<UpdatedExperiment> {
  return oneAtATime(ownTablePath(options), async () => {
    const settings = readSettings(set);
    const table = await openOwnRow(name, 'changed', options);
    const changes = Object.entries({
      ...settings,
      ...(description === undefined ? {} : { [DESCRIPTION_KEY]: description }),
    }).map(([key, value]) => ({ key, value }));
    if (changes.length === 0) {
      throw new AuditError('bad_argument', `nothing to change in experiment ${name}; say what to set`, {
        name,
      });
    }
    for (const { key, value } of changes) table.editor.setKey(name, key, value);
    return { ...(await save(name, table, options)), changes };
  });
}

/** Takes a row out of the user's own table. Errors: those of {@link updateExperiment}. */
export function deleteExperiment(name: string, options: ExperimentFolder = {}): Promise<DeletedExperiment> {
  return oneAtATime(ownTablePath(options), async () => {
    const { editor, file } = await openOwnRow(name, 'deleted', options);
    editor.removeRow(name);
    await writeAtomic(file, [editor.toString()]);
    return { name, file, shippedRemains: (await shippedExperiments()).includes(name) };
  });
}

function checkName(name: string): void {
  if (typeof name === 'string' && PLAIN_NAME.test(name)) return;
  const message = `${JSON.stringify(name)} is not the name of an experiment; use letters, digits, _ and -`;
  throw new AuditError('bad_argument', message, { name });
}

/** Throws `bad_argument` that names the key, and what it may be. */
function readSettings(set: AxisSettings): Partial<AxisValues> {
  const read: Record<string, string | boolean> = {};
  for (const [key, raw] of Object.entries(set)) {
    if (key === DESCRIPTION_KEY) {
      throw new AuditError('bad_argument', `${key} is no axis; give it as description, not in set`, { key });
    }
    if (!isAxisKey(key)) throw new AuditError('bad_argument', `${key} ${unknownKey()}`, { key });
    const value = readAxis(key, raw);
    if (!value.ok) throw new AuditError('bad_argument', `${key} ${value.message}`, { key });
    read[key] = value.value;
  }
  return read;
}

interface OpenTable {
  readonly file: string;
  readonly names: readonly string[];
  readonly editor: TableEditor;
}

async function openTable(options: ExperimentFolder): Promise<OpenTable> {
  const file = ownTablePath(options);
  const bytes = (await readOwnBytes(options)) ?? new TextEncoder().encode(NEW_TABLE);
  const table = parseTable(bytes, file);
  requireReadable(table, file);
  const editor = new TableEditor(new TextDecoder().decode(bytes), file);
  return { file, names: table.rows.map((row) => row.name), editor };
}

async function openOwnRow(
  name: string,
  action: 'changed' | 'deleted',
  options: ExperimentFolder,
): Promise<OpenTable> {
  checkName(name);
  const table = await openTable(options);
  if (table.names.includes(name)) return table;
  if (!(await shippedExperiments()).includes(name)) {
    throw unknownExperiment(name, await listExperiments(options), options);
  }
  const message = `${name} comes with the package and is not ${action}; for one of your own: logit-audit experiment create NAME --from ${name}`;
  throw new AuditError('bad_argument', message, { name });
}

/** Writes the table if the row is right now. */
async function save(
  name: string,
  { editor, file }: OpenTable,
  options: ExperimentFolder,
): Promise<SavedExperiment> {
  const bytes = new TextEncoder().encode(editor.toString());
  const table = parseTable(bytes, file);
  const row = table.rows.find((entry) => entry.name === name);
  if (row === undefined) throw invalidExperiments(file, table.faults);
  if (row.values === null) throw unwrittenFile('experiment_invalid', 'experiments in', file, row.faults);
  await writeAtomic(file, [bytes]);
  const experiment = toExperiment(name, row.description, row.values, 'yours');
  const others = (await listExperiments(options)).flatMap((entry) => entry.experiment ?? []);
  const shared = sameFolderWarning(experiment, others);
  return {
    name,
    file,
    overridesShipped: (await shippedExperiments()).includes(name),
    experiment,
    warnings: [...row.warnings.map(({ message }) => message), ...(shared === null ? [] : [shared])],
  };
}
