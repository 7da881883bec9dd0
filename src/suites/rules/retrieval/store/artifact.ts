/** A matrix of similarities that was built before: opened, held against the data that it is used with, and read by row. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AuditError } from '../../../../errors.ts';
import { fileError } from '../../../../files/file-error.ts';
import { fromHalves } from '../../../../files/half.ts';
import { isHydrated, type RetrievalRecord } from './record.ts';
import type { Similarities } from './select.ts';
import { hashTexts, readSidecar, type Sidecar, type SidecarSide, sidecarPath } from './sidecar.ts';
import { readFully } from './vector-store.ts';

/** A split, and all of its threads. */
export interface Split {
  readonly split: string;
  readonly records: readonly RetrievalRecord[];
}

/** What an artifact is to be used with; a side that is left out is not looked at. */
export interface ArtifactUse {
  readonly queries?: Split;
  readonly candidates?: Split;
}

/** Similarities of two splits as a file. */
export class RetrievalArtifact implements Similarities, AsyncDisposable {
  readonly path: string;
  readonly sidecar: Sidecar;
  readonly #handle: FileHandle;
  readonly #rows: Places;
  readonly #columns: Places;

  private constructor(path: string, sidecar: Sidecar, handle: FileHandle) {
    this.path = path;
    this.sidecar = sidecar;
    this.#handle = handle;
    this.#rows = places(sidecar.queries);
    this.#columns = places(sidecar.candidates);
  }

  /**
   * Opens a matrix (DIR/..._similarity.f16), checks its size and its checksum, and that the data are those that it was
   * built of: split, threads and comments. Throws `retrieval_stale` where something differs, naming it;
   * `file_not_found`, `file_unreadable`, `bad_argument` (no .f16), `data_malformed` (the sidecar).
   */
  static async open(path: string, use: ArtifactUse = {}): Promise<RetrievalArtifact> {
    const sidecar = await readSidecar(sidecarPath(path));
    if (use.queries) checkSide(path, 'query', sidecar.queries, use.queries);
    if (use.candidates) checkSide(path, 'candidate', sidecar.candidates, use.candidates);
    const handle = await open(path, 'r').catch((cause: unknown) => {
      throw fileError(path, cause);
    });
    try {
      await checkBytes(path, handle, sidecar);
      return new RetrievalArtifact(path, sidecar, handle);
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  columnOf(candidateKey: string): number | null {
    return place(this.path, this.#columns, candidateKey, 'column');
  }

  /**
   * The similarities of a query to every candidate, in order of column, each in [-1, 1]. One row of the file is read. Null for
   * a query whose comment was too long.
   */
  async row(queryKey: string): Promise<Float32Array | null> {
    const row = place(this.path, this.#rows, queryKey, 'row');
    if (row === null) return null;
    const [, columns] = this.sidecar.shape;
    const halves = new Uint16Array(columns);
    await readFully(this.#handle, this.path, {
      into: new Uint8Array(halves.buffer),
      at: row * halves.byteLength,
    });
    return fromHalves(halves);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Null for what was left out. */
type Places = ReadonlyMap<string, number | null>;

function places({ keys, tooLong }: SidecarSide): Places {
  return new Map([
    ...keys.map((key, index) => [key, index] as const),
    ...tooLong.map((key) => [key, null] as const),
  ]);
}

function place(path: string, places: Places, key: string, what: 'row' | 'column'): number | null {
  const index = places.get(key);
  if (index !== undefined) return index;
  throw stale(path, `has no ${what} of ${key}`, { key });
}

function stale(path: string, what: string, data: Readonly<Record<string, unknown>> = {}): AuditError {
  const message = `${path} ${what}; build it again with "logit-audit retrieval build"`;
  return new AuditError('retrieval_stale', message, { file: path, ...data });
}

async function checkBytes(path: string, handle: FileHandle, sidecar: Sidecar): Promise<void> {
  const { size } = await handle.stat();
  if (size !== sidecar.bytes) {
    throw stale(path, `has ${size} bytes where its sidecar says ${sidecar.bytes}`);
  }
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (cause) {
    throw fileError(path, cause);
  }
  if (hash.digest('hex') !== sidecar.sha256) {
    throw stale(path, 'is not the file that its sidecar tells of (SHA-256)');
  }
}

/** Split, then threads, then comments: the first difference is reported. */
function checkSide(path: string, side: 'query' | 'candidate', built: SidecarSide, used: Split): void {
  if (built.split !== used.split) {
    throw stale(path, `was built for the ${side} split ${built.split}, not ${used.split}`, {
      key: `${side}Split`,
    });
  }
  const records = new Map(used.records.filter(isHydrated).map((record) => [record.key, record]));
  const known = [...built.keys, ...built.tooLong];
  const ordered = known.map((key) => {
    const record = records.get(key);
    if (record) return record;
    throw stale(path, `has the ${side} ${key}, which the data of ${used.split} do not have`, { key });
  });
  if (records.size !== ordered.length) {
    const all = new Set(known);
    const key = [...records.keys()].find((one) => !all.has(one));
    throw stale(path, `lacks the ${side} ${key}, which the data of ${used.split} have`, { key });
  }
  if (hashTexts(ordered, built.prefix) !== built.textsSha256) {
    throw stale(path, `was built of other ${side} comments than the data of ${used.split} have`, {
      key: 'textsSha256',
    });
  }
}
