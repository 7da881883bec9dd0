/** The folder of a run: which files it holds, and that it is made once and never written over. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeError } from '../atomic.ts';
import { AuditError } from '../errors.ts';

export interface RunFolder {
  readonly path: string;
  readonly manifest: string;
  readonly journal: string;
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
    manifest: file('manifest.json'),
    journal: file('rows.jsonl'),
    metrics: file('metrics.json'),
    rowsCsv: file('rows.csv'),
    summaryCsv: file('summary.csv'),
    lexicon: file('lexicon.json'),
    reference: file('reference.json'),
    list: file,
  };
}

/** By which the folder of a panel is known. */
export const PANEL_FILE = 'panel.json';
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

/** Throws `output_exists` unless the folder is new or empty: a run is never mixed with another. */
export function checkFolderIsFree(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) {
    throw new AuditError('output_exists', `${folder} is a file; give a new folder for --out`, { folder });
  }
  if (existsSync(path.join(folder, 'manifest.json'))) {
    throw new AuditError('output_exists', `${folder} already holds a run; give a new folder for --out`, {
      folder,
    });
  }
  if (existsSync(path.join(folder, PANEL_FILE))) {
    throw new AuditError('output_exists', `${folder} already holds a panel; give a new folder for --out`, {
      folder,
    });
  }
  if (readdirSync(folder).length > 0) {
    throw new AuditError('output_exists', `${folder} is not empty; give a new or empty folder for --out`, {
      folder,
    });
  }
}

/** Throws `output_exists`, and `file_unwritable` where a folder cannot be made. */
function makeFolder(folder: string): void {
  checkFolderIsFree(folder);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw writeError(folder, cause);
  }
}

export function createFolder(folder: string): RunFolder {
  makeFolder(folder);
  return runFolder(folder);
}

export function createPanelFolder(folder: string): PanelFolder {
  makeFolder(folder);
  const file = (name: string) => path.join(folder, name);
  return {
    path: folder,
    panel: file(PANEL_FILE),
    summaryCsv: file(PANEL_SUMMARY_CSV),
    summaryMd: file(PANEL_SUMMARY_MD),
  };
}
