/**
 * Scales of the user's own, made, changed and deleted. A change is made on the document, which is then read anew and
 * written only if it is right: all of it or nothing.
 */
import { parse } from 'yaml';
import {
  type FileLocation,
  type NamedLocation,
  oneAtATime,
  readYaml,
  unwrittenFile,
} from '../../../catalog/index.ts';
import { AuditError } from '../../../errors.ts';
import { writeAtomic } from '../../../files/atomic.ts';
import { ScaleEditor } from './editor.ts';
import { examineLocated, invalidScale } from './load.ts';
import { checkScaleName } from './names.ts';
import type { Scale } from './scale.ts';
import { type ScaleFolder, scaleFiles, shippedScales } from './store.ts';

export interface ScaleChanges {
  /** Values by where they go: names between dots, an entry of a list by its `name` or its place (`bands.low.upTo`). */
  readonly set?: Readonly<Record<string, unknown>>;
  /** What to take out, by the same names; done before anything is set. */
  readonly unset?: readonly string[];
}

export interface ScaleContent extends ScaleChanges {
  /** Name or path of the scale to copy, comments and all. */
  readonly from: string;
}

export interface SavedScale {
  readonly name: string;
  readonly file: string;
  /** Is it used instead of a shipped one from now on? */
  readonly overridesShipped: boolean;
  readonly scale: Scale;
}

export interface UpdatedScale extends SavedScale {
  /** What was done, a line each. */
  readonly changes: readonly string[];
}

export interface DeletedScale {
  readonly name: string;
  readonly file: string;
  /** Is there a shipped one of the same name, which is used from now on? */
  readonly shippedRemains: boolean;
}

/**
 * Makes `scales/NAME.yaml` in the working folder, a copy with what is set. A name of a shipped scale is allowed and
 * overrides that one here. Errors: `output_exists`; `bad_argument` (name, keys); `file_not_found`, `file_unreadable`,
 * `scale_invalid` about what is copied or would come out; `file_unwritable`. On any of them nothing is written.
 */
export function createScale(
  name: string,
  { from, ...changes }: ScaleContent,
  { folder }: ScaleFolder = {},
): Promise<SavedScale> {
  checkScaleName(name);
  const location = scaleFiles.ownLocation(name, folder);
  return oneAtATime(location.path, async () => {
    if (await scaleFiles.isThere(location)) {
      const message = `${location.path} exists; change it with "scale update", or delete it first`;
      throw new AuditError('output_exists', message, { file: location.path });
    }
    const source = await scaleFiles.locate(from, folder);
    const bytes = await scaleFiles.read(source, folder);
    const { scale, faults } = await examineLocated(source, bytes);
    if (scale === null) throw invalidScale(source.shown, faults);
    const editor = editorOf(bytes, source);
    editor.set('name', name);
    apply(editor, changes);
    return await save(location, editor);
  });
}

/**
 * Changes `scales/NAME.yaml` of the working folder; comments stay. A scale with faults can be mended by it. Errors:
 * `bad_argument` (a shipped scale, a key that there cannot be, nothing to change), `file_not_found`, `file_unreadable`,
 * `scale_invalid` (no YAML, or not right after the change; nothing is written then), `file_unwritable`.
 */
export function updateScale(
  name: string,
  changes: ScaleChanges,
  { folder }: ScaleFolder = {},
): Promise<UpdatedScale> {
  checkScaleName(name);
  return oneAtATime(scaleFiles.ownLocation(name, folder).path, async () => {
    const location = await scaleFiles.requireOwn(name, 'changed', folder);
    const editor = editorOf(await scaleFiles.read(location, folder), location);
    const done = apply(editor, changes);
    if (done.length === 0) {
      const message = `nothing to change in scale ${name}; say what to set or to take out`;
      throw new AuditError('bad_argument', message, { name });
    }
    return { ...(await save(location, editor)), changes: done };
  });
}

/** Deletes a scale of the user's own. Errors: `bad_argument` for a shipped one, `file_not_found`, `file_unwritable`. */
export function deleteScale(name: string, { folder }: ScaleFolder = {}): Promise<DeletedScale> {
  checkScaleName(name);
  return oneAtATime(scaleFiles.ownLocation(name, folder).path, async () => {
    const { path } = await scaleFiles.delete(name, folder);
    return { name, file: path, shippedRemains: (await shippedScales()).includes(name) };
  });
}

/** A value of a command line, as a file would have it: `13`, `true`, `[low, high]`. Throws `bad_argument`. */
export function readSetting(key: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new AuditError('bad_argument', `${key}: ${text} is no value of YAML (${why})`, { key }, { cause });
  }
}

function editorOf(bytes: Uint8Array, { shown }: FileLocation): ScaleEditor {
  const { faults } = readYaml(bytes, shown);
  if (faults.length > 0) throw invalidScale(shown, faults);
  return new ScaleEditor(new TextDecoder().decode(bytes), shown);
}

function apply(editor: ScaleEditor, { set = {}, unset = [] }: ScaleChanges): string[] {
  for (const key of unset) editor.unset(key);
  for (const [key, value] of Object.entries(set)) editor.set(key, value);
  return [
    ...unset.map((key) => `took out ${key}`),
    ...Object.entries(set).map(([key, value]) => `${key} is now ${JSON.stringify(value)}`),
  ];
}

async function save(location: NamedLocation, editor: ScaleEditor): Promise<SavedScale> {
  const bytes = new TextEncoder().encode(editor.toString());
  const { scale, faults } = await examineLocated(location, bytes);
  if (scale === null) throw unwrittenFile('scale_invalid', 'scale', location.shown, faults);
  await writeAtomic(location.path, [bytes]);
  const { name, path } = location;
  return { name, file: path, overridesShipped: (await shippedScales()).includes(name), scale };
}
