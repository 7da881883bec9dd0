/**
 * Several suites on one model, as one audit: every part is looked at before the first is run, each gets a folder of its
 * own, and their headline metrics stand in one table. A part that fails is told in the table; the others go on.
 */
import path from 'node:path';
import { AuditError, toAuditError } from '../../errors.ts';
import { writeJson } from '../../report/index.ts';
import { checkFolderIsFree, createPanelFolder, type PanelFolder } from '../folder.ts';
import type { Manifest } from '../manifest.ts';
import { packageVersion } from '../manifest.ts';
import { type PreparedRun, prepareRun, type RunOptions } from '../prepare.ts';
import type { Progress } from '../progress.ts';
import { executeRun, type RunResult } from '../run.ts';
import { type PanelRow, panelRows, writePanelTables } from './summary.ts';

/** What the parts of a panel have in common. */
type Shared = Pick<RunOptions, 'backend' | 'engine' | 'strict' | 'interval' | 'signal'>;

/** One suite on its data. */
export interface PanelPart extends Omit<RunOptions, keyof Shared | 'out' | 'onProgress'> {
  /** Name of its folder and in the table, such as `ctf-aligned`; default: the suite's. */
  readonly name?: string;
}

export interface PanelOptions extends Shared {
  readonly parts: readonly PanelPart[];
  /** Folder for the panel, new or empty. */
  readonly out: string;
  readonly onProgress?: (part: string, progress: Progress) => void;
}

/** A part that was run, or why it was not. */
export interface PanelOutcome {
  readonly name: string;
  readonly suite: string;
  readonly run: RunResult | null;
  readonly error: AuditError | null;
}

export interface PanelResult {
  readonly folder: PanelFolder;
  readonly outcomes: readonly PanelOutcome[];
  /** Every metric of every part over all its rows. */
  readonly rows: readonly PanelRow[];
}

interface NamedRun {
  readonly name: string;
  readonly prepared: PreparedRun;
}

const NAME = /^[A-Za-z0-9][\w.-]*$/;

/** Throws the first fault of any part, named by the part. */
async function prepareParts({ parts, out, onProgress, ...shared }: PanelOptions): Promise<NamedRun[]> {
  if (parts.length === 0) {
    throw new AuditError('bad_argument', 'the panel has no part; give data for at least one suite');
  }
  checkFolderIsFree(out);
  const prepared = new Map<string, NamedRun>();
  for (const { name: given, ...part } of parts) {
    const name = given ?? part.suite;
    if (!NAME.test(name)) {
      throw new AuditError(
        'bad_argument',
        `"${name}" is no name for a part; use letters, digits, . _ and -`,
        { name },
      );
    }
    if (prepared.has(name)) {
      throw new AuditError(
        'bad_argument',
        `two parts of the panel are called "${name}"; give each a name of its own`,
        {
          name,
        },
      );
    }
    const options: RunOptions = {
      ...shared,
      ...part,
      out: path.join(out, name),
      ...(onProgress ? { onProgress: (progress: Progress) => onProgress(name, progress) } : {}),
    };
    try {
      prepared.set(name, { name, prepared: await prepareRun(options) });
    } catch (thrown) {
      const { code, message, data } = toAuditError(thrown);
      throw new AuditError(code, `${name}: ${message}`, data, { cause: thrown });
    }
  }
  return [...prepared.values()];
}

async function runPart({ name, prepared }: NamedRun): Promise<PanelOutcome> {
  const suite = prepared.suite.name;
  try {
    return { name, suite, run: await executeRun(prepared), error: null };
  } catch (thrown) {
    const error = toAuditError(thrown);
    if (error.code === 'cancelled') throw error;
    return { name, suite, run: null, error };
  }
}

/** panel.json: which runs there are, in order, and what they ran on. */
interface PanelFile {
  readonly createdAt: string;
  readonly version: string;
  readonly model: Manifest['model'] | null;
  readonly parts: readonly {
    readonly name: string;
    readonly suite: string;
    readonly folder: string;
    readonly status: Manifest['status'];
    readonly error: { readonly code: string; readonly message: string } | null;
  }[];
}

function panelFile(created: Date, outcomes: readonly PanelOutcome[]): PanelFile {
  return {
    createdAt: created.toISOString(),
    version: packageVersion(),
    model: outcomes.find(({ run }) => run)?.run?.manifest.model ?? null,
    parts: outcomes.map(({ name, suite, error }) => ({
      name,
      suite,
      folder: name,
      status: error ? 'failed' : 'complete',
      error: error ? { code: error.code, message: error.message } : null,
    })),
  };
}

/**
 * Runs a panel. Throws before anything is written what prepareRun throws for any of its parts, `bad_argument` for two of
 * one name, and later `cancelled`; what was finished by then is on the disk.
 */
export async function runPanel(options: PanelOptions): Promise<PanelResult> {
  const runs = await prepareParts(options);
  const created = new Date();
  const folder = createPanelFolder(options.out);
  const outcomes: PanelOutcome[] = [];
  for (const run of runs) outcomes.push(await runPart(run));
  await writeJson(folder.panel, panelFile(created, outcomes));
  const rows = panelRows(outcomes);
  await writePanelTables(folder, outcomes, rows);
  return { folder, outcomes, rows };
}
