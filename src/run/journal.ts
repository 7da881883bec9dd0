/**
 * The journal of a run, rows.jsonl: one finished row a line, appended, synced once a window. What is derived
 * (metrics.json, CSVs) is made from it alone, without the model.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { writeError } from '../atomic.ts';
import { AuditError, type ErrorCode, type ErrorData } from '../errors.ts';
import { fileError } from '../file-error.ts';
import type { Fields } from '../suite/index.ts';
import { CHAIN_START, checkedLine, damageOf, follows, lineCheck } from './journal-check.ts';

interface EntryHead {
  /** Number of the row in the data, from 0. */
  readonly row: number;
  /** Null where the row could not be read far enough to know it. */
  readonly id: string | null;
}

export type JournalEntry =
  | (EntryHead & { readonly status: 'ok'; readonly slices: SliceValues; readonly result: Fields })
  | (EntryHead & {
      readonly status: 'skipped';
      readonly slices: SliceValues;
      readonly reason: string;
      readonly message: string;
    })
  | (EntryHead & {
      readonly status: 'failed';
      readonly slices: SliceValues;
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly data: ErrorData };
    });

/** Value of each slice column; null where the row has none. */
export type SliceValues = Readonly<Record<string, string | null>>;

/** On disk a row is flat: its slices and its result stand beside its id, under the names that rows.csv has too. */
function toLine(entry: JournalEntry): string {
  const { row, id, status, slices, ...rest } = entry;
  return JSON.stringify({ row, id, status, ...slices, ...('result' in rest ? rest.result : rest) });
}

const STATUSES: readonly unknown[] = ['ok', 'skipped', 'failed'] satisfies JournalEntry['status'][];

/** Throws for what is no line of a journal. */
function fromLine(line: string, sliceNames: readonly string[]): JournalEntry {
  const { row, id, status, check: _, ...fields } = JSON.parse(line);
  if (!Number.isSafeInteger(row) || !STATUSES.includes(status)) throw new Error('no row of a run');
  const slices: Record<string, string | null> = {};
  for (const name of sliceNames) {
    slices[name] = fields[name] ?? null;
    delete fields[name];
  }
  if (status === 'ok') return { row, id, status, slices, result: fields };
  return { row, id, status, slices, ...fields };
}

export class JournalWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  #bytes: number;
  /** Null for a journal of an earlier version, whose lines have no checks: it is continued as it is. */
  #chain: string | null;

  private constructor(path: string, file: FileHandle, bytes: number, chain: string | null) {
    this.#path = path;
    this.#file = file;
    this.#bytes = bytes;
    this.#chain = chain;
  }

  static async create(path: string): Promise<JournalWriter> {
    return new JournalWriter(path, await open(path, 'ax'), 0, CHAIN_START);
  }

  /** Continues a journal behind its last whole line; one that is missing is made. Throws {@link writeError}'s faults. */
  static async continue(path: string): Promise<JournalWriter> {
    const file = await open(path, 'a+').catch((cause) => {
      throw writeError(path, cause);
    });
    const { size } = await file.stat();
    const last = size === 0 ? null : lineCheck(await lastLine(file, size));
    return new JournalWriter(path, file, size, size === 0 ? CHAIN_START : (last?.chain ?? null));
  }

  /** Length of the journal. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The check of its last line; null where its lines have none. */
  get chain(): string | null {
    return this.#chain;
  }

  /**
   * Continues a journal that is there. What stands behind its last whole line, left by a killed run, is cut off: that
   * row is not done. Errors: `file_not_found`, `file_unreadable`.
   */
  static async resume(path: string): Promise<JournalWriter> {
    const file = await open(path, 'r+').catch((cause) => {
      throw fileError(path, cause);
    });
    try {
      await file.truncate(await endOfLines(file, (await file.stat()).size));
    } finally {
      await file.close();
    }
    return JournalWriter.continue(path);
  }

  /**
   * Appends a window of rows and makes sure that they are on the disk. Throws `storage_failed` for a disk that is full or
   * fails; the journal then ends as before, as far as the disk lets it.
   */
  async append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    let chain = this.#chain;
    const text = entries.map((entry) => {
      const object = toLine(entry);
      if (chain === null) return `${object}\n`;
      const checked = checkedLine(object, chain);
      chain = checked.chain;
      return `${checked.line}\n`;
    });
    const lines = Buffer.from(text.join(''));
    try {
      await this.#file.writeFile(lines);
      await this.#file.datasync();
    } catch (cause) {
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw writeError(this.#path, cause);
    }
    this.#bytes += lines.length;
    this.#chain = chain;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const TAIL_BYTES = 1 << 16;

/** Where the last whole line of the first `size` bytes ends. */
async function endOfLines(file: FileHandle, size: number): Promise<number> {
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}

async function lastLine(file: FileHandle, size: number): Promise<Buffer> {
  const start = await endOfLines(file, size - 1);
  const { buffer } = await file.read(Buffer.alloc(size - 1 - start), 0, size - 1 - start, start);
  return buffer;
}

/** The lines of a file as bytes. Only a line feed ends one: texts of models hold every other separator. */
async function* linesOf(file: FileHandle): AsyncGenerator<{ line: Buffer; ended: boolean }> {
  let parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    let rest = buffer.subarray(0, bytesRead);
    for (let feed = rest.indexOf(LINE_FEED); feed !== -1; feed = rest.indexOf(LINE_FEED)) {
      yield { line: Buffer.concat([...parts, rest.subarray(0, feed)]), ended: true };
      parts = [];
      rest = rest.subarray(feed + 1);
    }
    if (rest.length > 0) parts.push(rest);
  }
  if (parts.length > 0) yield { line: Buffer.concat(parts), ended: false };
}

function damaged(path: string, line: number, what: string): AuditError {
  const message = `${path}: line ${line} of the journal ${what}; put back a copy of the file as it was, or make the run again`;
  return new AuditError('data_malformed', message, { file: path, line });
}

/**
 * The rows of a journal in order, read as a stream. A last line without its line feed, left by a killed run, is not a row.
 * Throws `file_not_found`, `file_unreadable`, and `data_malformed` for a line that is not as it was written, or not where.
 * Lines of an earlier version have no checks, and are taken as they are; `onUnchecked` is called at the first one.
 */
export async function* readJournal(
  path: string,
  sliceNames: readonly string[],
  onUnchecked?: () => void,
): AsyncGenerator<JournalEntry, void, undefined> {
  const file = await open(path, 'r').catch((cause) => {
    throw fileError(path, cause);
  });
  try {
    let chain: string | null = CHAIN_START;
    let number = 0;
    let earlier: string | null = null;
    for await (const { line, ended } of linesOf(file)) {
      number += 1;
      if (!ended) break;
      const check = lineCheck(line);
      if (number === 1 && check === null && isUnchecked(line, sliceNames)) {
        chain = null;
        onUnchecked?.();
      }
      if (chain !== null) {
        if (!check?.intact) throw damaged(path, number, damageOf(line));
        if (!follows(chain, check)) {
          const what: string =
            check.own === earlier
              ? 'is the line before it once more'
              : 'does not follow the line before it: lines were taken out, moved or repeated here';
          throw damaged(path, number, what);
        }
        chain = check.chain;
        earlier = check.own;
      } else if (check !== null) {
        throw damaged(path, number, 'has a checksum, and those before it have none: two files were joined');
      }
      let entry: JournalEntry;
      try {
        entry = fromLine(line.toString('utf8'), sliceNames);
      } catch {
        throw damaged(path, number, damageOf(line));
      }
      yield entry;
    }
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** Of a version that wrote no checks: a row, and no trace of a check. */
function isUnchecked(line: Buffer, sliceNames: readonly string[]): boolean {
  if (line.at(-1) === CARRIAGE_RETURN || line.includes('"check":"')) return false;
  try {
    fromLine(line.toString('utf8'), sliceNames);
    return true;
  } catch {
    return false;
  }
}
