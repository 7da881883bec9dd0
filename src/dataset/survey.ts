/**
 * A look at the whole data before any work is done with it: its hashes for the manifest, how many rows there are, and
 * the first that is not right, all in one pass.
 */
import { createHash, type Hash } from 'node:crypto';
import { AuditError } from '../errors.ts';
import type { DatasetOptions } from './dataset.ts';
import { dataFiles, readRows } from './dataset.ts';
import { readBytes } from './file.ts';
import { type IdOf, SeenIds } from './ids.ts';
import type { DatasetRow } from './row.ts';

/** Which rows are looked at, and how. */
export interface SurveyPart {
  /** Look at the first `limit` rows that are kept only; hash and size are still of the whole files. */
  readonly limit?: number;
  /** A second opinion on each row that could be read. */
  readonly validate?: (row: DatasetRow) => AuditError | null;
  /** The id of a row that `validate` let pass; a row with the id of an earlier one is invalid, as for `uniqueIds`. */
  readonly idOf?: IdOf;
  /** Rows that are meant; the others are not counted, and none of their faults either. Default: all. */
  readonly keep?: (row: DatasetRow) => boolean;
}

export interface SurveyOptions extends DatasetOptions, SurveyPart {}

export interface SurveyedFile {
  readonly path: string;
  /** SHA-256 of the bytes of the file, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Rows of this file that were looked at. */
  readonly rows: number;
}

export interface Survey {
  /** SHA-256 of the bytes of all files one after the other, in hexadecimal: of one file its own. */
  readonly sha256: string;
  readonly bytes: number;
  /** Rows looked at, those with an error included. */
  readonly rows: number;
  /** Rows that could not be read, that `validate` refused, or whose id an earlier row has. */
  readonly invalid: number;
  readonly firstError?: AuditError;
  /** In the order in which they were given. */
  readonly files: readonly SurveyedFile[];
}

/** What has been seen of a part of the rows. */
class Looker {
  readonly #part: SurveyPart;
  readonly #ids: SeenIds;
  readonly limit: number;
  rows = 0;
  invalid = 0;
  firstError: AuditError | null = null;
  readonly rowsOfFiles: number[] = [];

  constructor(part: SurveyPart) {
    const { limit = Number.POSITIVE_INFINITY, idOf = () => null } = part;
    if (part.limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1)) {
      throw new AuditError('bad_argument', `limit is ${limit}; give a whole number from 1`, { limit });
    }
    this.#part = part;
    this.#ids = new SeenIds(idOf);
    this.limit = limit;
  }

  get done(): boolean {
    return this.rows >= this.limit;
  }

  look(row: DatasetRow): void {
    if (this.done || this.#part.keep?.(row) === false) return;
    this.rows += 1;
    const error = row.error ?? this.#part.validate?.(row) ?? this.#ids.add(row);
    if (error === null) return;
    this.invalid += 1;
    this.firstError ??= error;
  }

  endFile(): void {
    this.rowsOfFiles.push(this.rows - this.rowsOfFiles.reduce((sum, rows) => sum + rows, 0));
  }
}

/**
 * Reads every file once from end to end, whatever the number of parts, and gives the survey of each. Errors: those of
 * `openDataset` and of its rows, `bad_argument` for a limit that is no whole number from 1, `data_empty` when there are no
 * rows, be it in one file of several.
 */
export async function surveyParts(
  paths: string | readonly string[],
  parts: readonly SurveyPart[],
  options: DatasetOptions = {},
): Promise<Survey[]> {
  const lookers = parts.map((part) => new Looker(part));
  const inputs = dataFiles(paths, options);
  const whole = createHash('sha256');
  const files: Omit<SurveyedFile, 'rows'>[] = [];
  let bytes = 0;
  /** Rows that were read, kept or not: what the next file's are numbered from. */
  let read = 0;
  for (const file of inputs) {
    const readBefore = read;
    const own = createHash('sha256');
    const tap = new Tap(readBytes(file.path), inputs.length === 1 ? [own] : [own, whole]);
    const looked = !lookers.every(({ done }) => done);
    try {
      if (looked) {
        for await (const row of readRows(tap, file, options, readBefore)) {
          read += 1;
          for (const looker of lookers) looker.look(row);
          if (lookers.every(({ done }) => done)) break;
        }
      }
      for await (const _ of tap) void _;
    } finally {
      await tap.close();
    }
    if (looked && read === readBefore) throw noRows(file.path, tap.bytes);
    for (const looker of lookers) looker.endFile();
    bytes += tap.bytes;
    files.push({ path: file.path, sha256: own.digest('hex'), bytes: tap.bytes });
  }
  const sha256 = files.length === 1 ? files[0]!.sha256 : whole.digest('hex');
  return lookers.map(({ rows, invalid, firstError, rowsOfFiles }) => ({
    ...{ sha256, bytes, rows, invalid },
    ...(firstError === null ? {} : { firstError }),
    files: files.map((file, at) => ({ ...file, rows: rowsOfFiles[at]! })),
  }));
}

/** The survey of one part. Throws as {@link surveyParts} does. */
export async function surveyDataset(
  paths: string | readonly string[],
  options: SurveyOptions = {},
): Promise<Survey> {
  const [survey] = await surveyParts(paths, [options], options);
  return survey!;
}

/** Bytes on their way, counted and hashed. Whoever stops asking for them does not end them: there is no `return`. */
class Tap implements AsyncIterableIterator<Buffer> {
  bytes = 0;

  constructor(
    private readonly source: AsyncGenerator<Buffer, void, undefined>,
    private readonly hashes: readonly Hash[],
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Buffer, void>> {
    const chunk = await this.source.next();
    if (chunk.done) return chunk;
    for (const hash of this.hashes) hash.update(chunk.value);
    this.bytes += chunk.value.length;
    return chunk;
  }

  async close(): Promise<void> {
    await this.source.return();
  }
}

function noRows(path: string, bytes: number): AuditError {
  const what = bytes === 0 ? 'is empty' : 'holds no rows';
  return new AuditError('data_empty', `${path} ${what}; give a file with at least one row`, {
    file: path,
    bytes,
  });
}
