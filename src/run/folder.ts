/** The folder of a run: which files it holds, and that it is made once and never written over. */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { AuditError } from '../errors.ts';
import { makeFolder, readTemporary } from '../files/atomic.ts';
import { isLeftByTaking, takeLock } from '../files/lock.ts';

/**
 * Takes the folder for this process; what a killed one left is taken over. Returns what gives it back. Throws
 * `output_exists` where another process writes to it.
 */
export function lockFolder(folder: string): () => void {
  const lock = path.join(folder, LOCK);
  return takeLock(lock, (holder) => {
    const message = `${folder} is written by ${holder}; wait for its end, or end it (if it is gone for certain, delete ${lock})`;
    return new AuditError('output_exists', message, { folder, lock });
  });
}

/** Held by whoever writes to a folder. */
export const LOCK = '.lock';
/** By which the folder of a run is known, and that of a panel. */
const MANIFEST = 'manifest.json';
export const PANEL_FILE = 'panel.json';

export interface RunFolder {
  readonly path: string;
  readonly manifest: string;
  readonly journal: string;
  /** How far a run has come; there until it has ended. */
  readonly checkpoint: string;
  readonly metrics: string;
  readonly rowsCsv: string;
  readonly summaryCsv: string;
  readonly lexicon: string;
  /** The numbers as the reference project writes them; there in that mode alone. */
  readonly reference: string;
  /** A list of rows that a suite keeps beside rows.csv. */
  list(file: string): string;
}

export function runFolder(folder: string): RunFolder {
  const file = (name: string) => path.join(folder, name);
  return {
    path: folder,
    manifest: file(MANIFEST),
    journal: file('rows.jsonl'),
    checkpoint: file('checkpoint.json'),
    metrics: file('metrics.json'),
    rowsCsv: file('rows.csv'),
    summaryCsv: file('summary.csv'),
    lexicon: file('lexicon.json'),
    reference: file('reference.json'),
    list: file,
  };
}

const PANEL_SUMMARY_CSV = 'summary.csv';
const PANEL_SUMMARY_MD = 'summary.md';
/** What lies in it beside the folders of its parts. */
export const PANEL_FILES = [PANEL_FILE, PANEL_SUMMARY_CSV, PANEL_SUMMARY_MD] as const;

/** The folder of a panel: its tables, and the folders of its runs by their names. */
export interface PanelFolder {
  readonly path: string;
  readonly panel: string;
  readonly summaryCsv: string;
  readonly summaryMd: string;
}

/** A folder name that sorts by time: `ctf-stories260K-20260131-235959`. */
export function runId(suite: string, model: string, now: Date): string {
  const stem = path
    .basename(model)
    .replace(/\.gguf$/i, '')
    .replace(/[^\w.-]+/g, '-');
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${suite}-${stem}-${stamp}`;
}

/** What may lie in a folder already: nothing, what is to be resumed, or whatever has answers that are taken over. */
export type Resumable = 'run' | 'panel' | 'answers' | null;

const KNOWN_BY: Readonly<Record<'run' | 'panel', string>> = { run: MANIFEST, panel: PANEL_FILE };

/**
 * Throws `output_exists` unless the folder is new or empty, or holds what is to be resumed: a run is never mixed with
 * another.
 */
export function checkFolderIsFree(folder: string, resumed: Resumable = null): void {
  if (!existsSync(folder)) return;
  if (resumed === 'answers') {
    checkOwner(runFolder(folder));
    return;
  }
  if (resumed && existsSync(path.join(folder, KNOWN_BY[resumed]))) return;
  if (!statSync(folder).isDirectory()) {
    throw new AuditError('output_exists', `${folder} is a file; give a new folder for --out`, { folder });
  }
  for (const [kind, file] of Object.entries(KNOWN_BY)) {
    if (!existsSync(path.join(folder, file))) continue;
    const message = `${folder} already holds a ${kind}; give a new folder for --out, or --resume to continue it`;
    throw new AuditError('output_exists', message, { folder });
  }
  if (readdirSync(folder).some((file) => !isLeftover(file))) {
    throw new AuditError('output_exists', `${folder} is not empty; give a new or empty folder for --out`, {
      folder,
    });
  }
}

/** A journal without its manifest may be of any run. */
function checkOwner({ journal, manifest }: RunFolder): void {
  if (existsSync(manifest) || !existsSync(journal)) return;
  const message = `${journal} is there, but not ${manifest}, which says what it is of; give a new folder for --out`;
  throw new AuditError('data_malformed', message, { file: journal });
}

const OWN_KINDS = /\.(json|jsonl|csv|md|html)$/;

/** Names of an earlier version do not tell who writes them: they are ours by what they were to become. */
function isTemporary(file: string): boolean {
  const found = readTemporary(file);
  return found?.writer === 'gone' || (found?.writer === 'unknown' && OWN_KINDS.test(found.intended));
}

/** Of a process that was killed before it wrote anything: its lock, and files that were not whole yet. */
function isLeftover(file: string): boolean {
  return file === LOCK || isLeftByTaking(LOCK, file) || isTemporary(file);
}

/** Removes files that a killed process had not finished. Only whoever holds the folder's lock may call it. */
export function clearLeftovers(folder: string): void {
  for (const file of readdirSync(folder)) {
    if (isTemporary(file)) rmSync(path.join(folder, file), { force: true });
  }
}

/** Throws `output_exists`, and `file_unwritable` where a folder cannot be made. */
function takeFolder(folder: string, resumed: Resumable): void {
  checkFolderIsFree(folder, resumed);
  makeFolder(folder);
}

export function createFolder(folder: string, resumed: Resumable): RunFolder {
  takeFolder(folder, resumed);
  return runFolder(folder);
}

export function createPanelFolder(folder: string, resume = false): PanelFolder {
  takeFolder(folder, resume ? 'panel' : null);
  const file = (name: string) => path.join(folder, name);
  return {
    path: folder,
    panel: file(PANEL_FILE),
    summaryCsv: file(PANEL_SUMMARY_CSV),
    summaryMd: file(PANEL_SUMMARY_MD),
  };
}
