/** A panel before its first row: everything that can be wrong with any part is looked at, and nothing is written. */
import path from 'node:path';
import { resolveOptions } from '../../contract/index.ts';
import { AuditError, toAuditError } from '../../errors.ts';
import { checkData, checkDataFiles } from '../data.ts';
import { checkFolderIsFree } from '../folder.ts';
import { type PreparedRun, prepareRun, type RunOptions } from '../prepare.ts';
import type { Progress } from '../progress.ts';
import { checkPartNames } from './names.ts';
import type { PanelOutcome } from './outcome.ts';

/** What the parts of a panel have in common. */
type Shared = Pick<
  RunOptions,
  'backend' | 'engine' | 'strict' | 'interval' | 'cluster' | 'signal' | 'resume'
>;

/** One suite on its data. */
export interface PanelPart extends Omit<RunOptions, keyof Shared | 'out' | 'onProgress'> {
  /** Name of its folder and in the table, such as `ctf-aligned`; default: the suite's. */
  readonly name?: string;
}

export interface PanelOptions extends Shared {
  readonly parts: readonly PanelPart[];
  /** Folder for the panel: new or empty, or that of one to resume. */
  readonly out: string;
  readonly onProgress?: (part: string, progress: Progress) => void;
  /** Told of each part once it has ended, before the next begins. */
  readonly onPart?: (outcome: PanelOutcome) => Promise<void>;
}

export interface NamedRun {
  readonly name: string;
  readonly prepared: PreparedRun;
}

const nameOf = ({ name, suite }: PanelPart) => name ?? suite.name;

/** A part's own faults, under its name. */
async function named<T>(name: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    const { code, message, data } = toAuditError(thrown);
    throw new AuditError(code, `${name}: ${message}`, data, { cause: thrown });
  }
}

/**
 * What can be told of a panel without its model: names, suites, options, and whether the data files are there and the
 * folder is free. Throws the first fault, named by its part.
 */
export async function checkPanel({
  parts,
  out,
  resume = false,
}: Pick<PanelOptions, 'parts' | 'out' | 'resume'>): Promise<void> {
  if (parts.length === 0) {
    throw new AuditError('bad_argument', 'the panel has no part; give data for at least one suite');
  }
  checkFolderIsFree(out, resume ? 'panel' : null);
  checkPartNames(parts.map(nameOf));
  for (const part of parts) {
    await named(nameOf(part), () => {
      const { suite } = part;
      resolveOptions(suite.name, suite.options, part.options ?? {});
      checkDataFiles(suite, part.data);
    });
  }
}

/** Looks at all rows of all parts before a model is loaded for them, as `checkData` does for one suite. */
export async function checkPanelData({
  parts,
  strict = false,
}: Pick<PanelOptions, 'parts' | 'strict'>): Promise<void> {
  for (const part of parts) {
    await named(nameOf(part), () => {
      const { suite } = part;
      const options = resolveOptions(suite.name, suite.options, part.options ?? {});
      return checkData(suite, part.data, options, { limit: part.limit, sample: part.sample, strict });
    });
  }
}

/** Throws the first fault of any part, named by the part. */
export async function prepareParts(options: PanelOptions): Promise<NamedRun[]> {
  await checkPanel(options);
  const { parts, out, onProgress, onPart: _, ...shared } = options;
  const runs: NamedRun[] = [];
  for (const part of parts) {
    const name = nameOf(part);
    const { name: _name, ...own } = part;
    const prepared = await named(name, () =>
      prepareRun({
        ...shared,
        ...own,
        out: path.join(out, name),
        ...(onProgress ? { onProgress: (progress: Progress) => onProgress(name, progress) } : {}),
      }),
    );
    runs.push({ name, prepared });
  }
  return runs;
}
