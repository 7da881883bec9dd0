/**
 * The journal of a run, rows.jsonl: one finished row a line, appended, synced once a window. What is derived
 * (metrics.json, CSVs) is made from it alone, without the model.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { AuditError, type ErrorCode, type ErrorData } from '../errors.ts';
import { fileError } from '../file-error.ts';
import type { Fields } from '../suite/index.ts';

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
  const { row, id, status, ...fields } = JSON.parse(line);
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
  readonly #file: FileHandle;
  #bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  static async create(path: string): Promise<JournalWriter> {
    return new JournalWriter(await open(path, 'ax'), 0);
  }

  /** Goes on with a journal, behind what it has; one that is not there yet is made. */
  static async continue(path: string): Promise<JournalWriter> {
    const file = await open(path, 'a');
    return new JournalWriter(file, (await file.stat()).size);
  }

  /** Length of the journal. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Goes on with a journal that is there. What stands behind its last whole line, left by a killed run, is cut off: that
   * row is not done. Errors: `file_not_found`, `file_unreadable`.
   */
  static async resume(path: string): Promise<JournalWriter> {
    const file = await open(path, 'r+').catch((cause) => {
      throw fileError(path, cause);
    });
    try {
      await file.truncate(await endOfLines(file));
    } finally {
      await file.close();
    }
    return JournalWriter.continue(path);
  }

  /** Appends a window of rows and makes sure that they are on the disk. */
  async append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const lines = Buffer.from(entries.map((entry) => `${toLine(entry)}\n`).join(''));
    await this.#file.writeFile(lines);
    await this.#file.datasync();
    this.#bytes += lines.length;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

const LINE_FEED = 10;
const TAIL_BYTES = 1 << 16;

/** Where the last whole line ends, in bytes. */
async function endOfLines(file: FileHandle): Promise<number> {
  let end = (await file.stat()).size;
  while (end > 0) {
    const start = Math.max(0, end - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}

/**
 * The rows of a journal in order, read as a stream. A torn last line, left by a killed run, is not a row.
 * Throws `file_not_found`, `file_unreadable`, and `data_malformed` for a damaged line in the middle.
 */
export async function* readJournal(
  path: string,
  sliceNames: readonly string[],
): AsyncGenerator<JournalEntry, void, undefined> {
  const file = await open(path, 'r').catch((cause) => {
    throw fileError(path, cause);
  });
  try {
    let torn: { readonly line: number; readonly cause: unknown } | null = null;
    let line = 0;
    for await (const text of file.readLines()) {
      line += 1;
      if (torn) {
        const message = `${path}: line ${torn.line} of the journal is damaged; make the run again`;
        throw new AuditError(
          'data_malformed',
          message,
          { file: path, line: torn.line },
          { cause: torn.cause },
        );
      }
      let entry: JournalEntry;
      try {
        entry = fromLine(text, sliceNames);
      } catch (cause) {
        torn = { line, cause };
        continue;
      }
      yield entry;
    }
  } finally {
    await file.close().catch(() => undefined);
  }
}
