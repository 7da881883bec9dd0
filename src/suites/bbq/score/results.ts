/** A tree of result files: which are in it, in an order that does not depend on the file system. */
import type { Dirent } from 'node:fs';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AuditError } from '../../../errors.ts';
import { fileError } from '../../../files/file-error.ts';
import { isScoredName, readName, requireName } from './result-name.ts';

export interface ResultFile {
  readonly path: string;
  /** Its path relative to where the results lie, with `/`. */
  readonly name: string;
}

export interface FoundResults {
  readonly files: readonly ResultFile[];
  /** Whether `place` is one file. */
  readonly single: boolean;
  /** What was left out, and what names do not say. */
  readonly notes: readonly string[];
}

const RESULT = /\.jsonl?$/i;
const SHOWN_NAMES = 3;

/**
 * The result files at `place`, a file or a folder. Throws `file_not_found`, `file_unreadable`, `bad_argument` for a
 * single file whose name says no split or that is a scored copy, `data_empty` for a folder without result files.
 */
export function findResults(place: string): FoundResults {
  if (isFile(place)) {
    const name = basename(place);
    if (isScoredName(name)) {
      const message = `${place} is a scored copy; give the result file that it was made from`;
      throw new AuditError('bad_argument', message, { file: place });
    }
    return { files: [{ path: place, name }], single: true, notes: requireName(name).notes };
  }
  const files: ResultFile[] = [];
  const notes: string[] = [];
  const unnamed: string[] = [];
  const scored: string[] = [];
  for (const file of filesBelow(place, RESULT)) {
    const read = readName(basename(file.name));
    if (isScoredName(file.name)) scored.push(file.name);
    else if (read === null) unnamed.push(file.name);
    else {
      files.push(file);
      notes.push(...readName(file.name)!.notes);
    }
  }
  if (unnamed.length > 0) notes.push(`skipped, as their names say no split: ${listed(unnamed)}`);
  if (scored.length > 0) notes.push(`skipped, as they are scored copies: ${listed(scored)}`);
  if (files.length > 0) return { files, single: false, notes };
  const message = `${place} holds no result files (their names say visual_language, visual_only or text)`;
  throw new AuditError(
    'data_empty',
    `${message}; check the folder, or score files of BBQ rows with predictions by "score bbq --format bbq"`,
    { file: place },
  );
}

/** The scored copies below a folder. Throws as {@link findResults}. */
export function findScored(place: string): readonly ResultFile[] {
  const files = [...filesBelow(place, RESULT)].filter(
    ({ name }) => isScoredName(name) && readName(basename(name)) !== null,
  );
  if (files.length > 0) return files;
  const message = `${place} holds no scored files (*_w_metrics.json); score the results first`;
  throw new AuditError('data_empty', message, { file: place });
}

function isFile(place: string): boolean {
  try {
    return statSync(place).isFile();
  } catch (cause) {
    throw fileError(place, cause);
  }
}

/** Of each folder first the files, then the folders, both by code point. */
function* filesBelow(root: string, pattern: RegExp, under = ''): Generator<ResultFile, void, undefined> {
  const entries = entriesOf(join(root, under));
  const named = (name: string) => (under === '' ? name : `${under}/${name}`);
  for (const entry of entries) {
    if (!pattern.test(entry.name)) continue;
    const path = join(root, under, entry.name);
    // A link to a file is followed, one to a folder is not: it may lead in a circle.
    if (entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile()))
      yield { path, name: named(entry.name) };
  }
  for (const entry of entries) if (entry.isDirectory()) yield* filesBelow(root, pattern, named(entry.name));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)),
    );
  } catch (cause) {
    throw fileError(folder, cause);
  }
}

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
