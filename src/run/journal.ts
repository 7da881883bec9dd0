/**
 * The journal of a run, rows.jsonl: one finished row a line, appended, synced once a window, each line with a checksum that
 * continues the line before. What is derived (metrics.json, CSVs) is made from it alone, without the model.
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { JournalEntry } from '../contract/index.ts';
import { physicalLines, withoutReturn } from '../dataset/lines.ts';
import { AuditError } from '../errors.ts';
import { writeError } from '../files/atomic.ts';
import { fileError } from '../files/file-error.ts';
import { NO_CRC, openLine, sealLine } from '../files/sealed-line.ts';

export type { JournalEntry } from '../contract/index.ts';

/** On disk a row is flat: its slices, its clusters and its result stand beside its id, under the names that rows.csv has too. */
function toLine(entry: JournalEntry): string {
  const { row, id, status, slices, clusters, ...rest } = entry;
  const own = 'result' in rest ? rest.result : rest;
  return JSON.stringify({ row, id, status, ...slices, ...(clusters ? { clusters } : {}), ...own });
}

const STATUSES: readonly unknown[] = ['ok', 'skipped', 'failed'] satisfies JournalEntry['status'][];

/** Throws for what is no line of a journal. */
function fromLine(line: string, sliceNames: readonly string[]): JournalEntry {
  const { row, id, status, ...fields } = JSON.parse(line);
  if (!Number.isSafeInteger(row) || !STATUSES.includes(status)) throw new Error('no row of a run');
  const slices: Record<string, string | null> = {};
  for (const name of sliceNames) {
    slices[name] = fields[name] ?? null;
    delete fields[name];
  }
  const { clusters, ...own } = fields;
  const head = { row, id, status, slices, ...(clusters ? { clusters } : {}) };
  return status === 'ok' ? { ...head, result: own } : { ...head, ...own };
}

export class JournalWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  #bytes: number;
  #crc: number;

  private constructor(path: string, file: FileHandle, bytes: number, crc: number) {
    this.#path = path;
    this.#file = file;
    this.#bytes = bytes;
    this.#crc = crc;
  }

  static async create(path: string): Promise<JournalWriter> {
    return new JournalWriter(path, await openToWrite(path, 'ax'), 0, NO_CRC);
  }

  /** Appends to a journal whose lines are whole, as reading it has shown; one that is missing is made. */
  static async continue(path: string): Promise<JournalWriter> {
    const file = await openToWrite(path, 'a+');
    const { size } = await file.stat();
    return new JournalWriter(path, file, size, await lastCrc(file, size));
  }

  /** Length of the journal. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Checksum of its last line, and so of all. */
  get crc(): number {
    return this.#crc;
  }

  /**
   * Appends a window of rows and makes sure that they are on the disk. Throws `storage_failed` for a disk that is full or
   * fails; the journal then ends as before, as far as the disk lets it.
   */
  async append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    let crc = this.#crc;
    const lines = entries.map((entry) => {
      const sealed = sealLine(toLine(entry), crc);
      crc = sealed.crc;
      return `${sealed.line}\n`;
    });
    const bytes = Buffer.from(lines.join(''));
    try {
      await this.#file.writeFile(bytes);
      await this.#file.datasync();
    } catch (cause) {
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw writeError(this.#path, cause);
    }
    this.#bytes += bytes.length;
    this.#crc = crc;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Cuts what a killed run left behind the last whole line: that row is not done. Throws `file_not_found`, `file_unreadable`. */
export async function cutTornLine(path: string): Promise<void> {
  const file = await open(path, 'r+').catch((cause) => {
    throw fileError(path, cause);
  });
  try {
    await file.truncate(await startOfLine(file, (await file.stat()).size));
  } finally {
    await file.close();
  }
}

async function openToWrite(path: string, flags: string): Promise<FileHandle> {
  return open(path, flags).catch((cause) => {
    throw writeError(path, cause);
  });
}

const LINE_FEED = 10;
const TAIL_BYTES = 1 << 16;

/** Where the line begins that holds the byte in front of `end`: behind the last line feed before it. */
async function startOfLine(file: FileHandle, end: number): Promise<number> {
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (at !== -1) return from + at + 1;
    to = from;
  }
  return 0;
}

/** The checksum that the next line continues. */
async function lastCrc(file: FileHandle, size: number): Promise<number> {
  if (size === 0) return NO_CRC;
  const start = await startOfLine(file, size - 1);
  const { buffer } = await file.read(Buffer.alloc(size - 1 - start), 0, size - 1 - start, start);
  const opened = openLine(buffer.toString('utf8'));
  return 'crc' in opened ? opened.crc : NO_CRC;
}

/** Why a line is no row, and what to do. */
function damage(path: string, line: number, what: string, cause?: unknown): AuditError {
  const message = `${path}: line ${line} of the journal ${what}; restore the file from a copy, or make the run again in a new folder`;
  return new AuditError('data_malformed', message, { file: path, line }, { cause });
}

const CHANGED =
  'does not fit its checksum: it was changed after it was written, or a line in front of it is missing, doubled or out of place';

/**
 * The rows of a journal in order, read as a stream, each line held against its checksum. A torn last line, left by a killed
 * run, is not a row. A journal of an earlier version, which has no checksums at all, is read unchecked.
 * Throws `file_not_found`, `file_unreadable`, and `data_malformed` with the number of a damaged line.
 */
export async function* readJournal(
  path: string,
  sliceNames: readonly string[],
): AsyncGenerator<JournalEntry, void, undefined> {
  for await (const { entry } of readCheckedJournal(path, sliceNames)) yield entry;
}

/** The same, each row with the checksum of the journal up to it: {@link NO_CRC} where there are none. */
export async function* readCheckedJournal(
  path: string,
  sliceNames: readonly string[],
): AsyncGenerator<{ entry: JournalEntry; crc: number }, void, undefined> {
  const file = await open(path, 'r').catch((cause) => {
    throw fileError(path, cause);
  });
  try {
    const { size } = await file.stat();
    let crc = NO_CRC;
    let sealed = true;
    for await (const { line, offset, bytes } of physicalLines(file.createReadStream({ autoClose: false }))) {
      const text = withoutReturn(bytes).toString('utf8');
      const opened = openLine(text, crc);
      if (line === 1) sealed = opened.kind !== 'unsealed';
      else if (!sealed && opened.kind !== 'unsealed') throw damage(path, 1, 'has lost its checksum');
      if (opened.kind === 'damaged') throw damage(path, line, CHANGED);
      let entry: JournalEntry;
      try {
        if (opened.kind !== 'whole' && sealed) throw new Error('no checksum');
        entry = fromLine(opened.kind === 'whole' ? opened.json : text, sliceNames);
      } catch (cause) {
        // Without a line feed, and so the last: what a killed run was writing.
        if (offset + bytes.length === size) return;
        throw damage(path, line, 'is damaged', cause);
      }
      if (opened.kind === 'whole') crc = opened.crc;
      yield { entry, crc };
    }
  } catch (cause) {
    throw fileError(path, cause);
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** Of a journal in which rows were asked again, the last of each id. */
export async function* lastOfEach(
  path: string,
  sliceNames: readonly string[],
): AsyncGenerator<JournalEntry, void, undefined> {
  const last = new Map<string | null, number>();
  let line = 0;
  for await (const { id } of readJournal(path, sliceNames)) last.set(id, line++);
  line = 0;
  for await (const entry of readJournal(path, sliceNames)) if (last.get(entry.id) === line++) yield entry;
}

/** Throws `data_malformed` where `last`, the checksum of a journal's rows, is not the one that `file` was written for, if it says one. */
export function checkJournalOf(
  journal: string,
  last: number,
  { file, journalCrc }: { readonly file: string; readonly journalCrc: number | null | undefined },
): void {
  if ((journalCrc ?? last) === last) return;
  const message = `${journal} is not the journal that ${file} was written for; restore both from a copy, or make the run again in a new folder`;
  throw new AuditError('data_malformed', message, { file: journal });
}
