/**
 * Vectors on disk, by the text that they stand for: made once, used by every split, and kept where a build is killed.
 *
 *   embeddings-<identity>.f32     vector after vector of length 1, float32, little-endian
 *   embeddings-<identity>.jsonl   first whose vectors they are; then, for each group that was appended, its texts' SHA-256
 *                                 and the CRC-32 of its vectors; each line with a checksum that continues the line before
 *
 * A group is appended to the vectors first and to the index when they are synced. What a kill leaves behind the last whole
 * line of the index is cut off when the store is opened again. The vectors of a group are held against their checksum when
 * the first of them is read.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { AuditError } from '../../../../errors.ts';
import { makeFolder, writeError } from '../../../../files/atomic.ts';
import { fileError } from '../../../../files/file-error.ts';
import { NO_CRC, openLine, sealLine } from '../../../../files/sealed-line.ts';
import type { EmbedderIdentity } from './embedder.ts';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const FORMAT = 'logit-audit-embeddings';

const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(1),
  dimension: z.int().min(1),
  embedder: z.unknown(),
});
const groupSchema = z.strictObject({
  texts: z.array(z.string().regex(/^[0-9a-f]{64}$/)).min(1),
  /** Stores of earlier versions have none. */
  vectorsCrc32: z.int().min(0).optional(),
});

export function textHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The identity as one line that does not depend on the order of its keys. */
function canonical({ kind, name, sha256, settings }: EmbedderIdentity): string {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([kind, name, sha256, sorted]);
}

/** Vectors that were appended together. */
interface Group {
  /** Row of its first vector. */
  readonly first: number;
  readonly count: number;
  /** Undefined in stores of earlier versions. */
  readonly crc: number | undefined;
}

interface Index {
  readonly rows: ReadonlyMap<string, number>;
  readonly groups: readonly Group[];
  readonly dimension: number | null;
  /** Bytes of whole lines. */
  readonly bytes: number;
  /** Checksum of the last of them. */
  readonly crc: number;
}

/**
 * What the whole lines of an index say; a torn last one does not count. Lines of an earlier version have no checksums; from
 * the first line on that has one all have.
 */
function readIndex(text: Buffer, file: string): Index {
  const rows = new Map<string, number>();
  const groups: Group[] = [];
  const bytes = text.lastIndexOf('\n') + 1;
  const lines = text.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1);
  let dimension: number | null = null;
  let crc = NO_CRC;
  let sealed = false;
  lines.forEach((line, number) => {
    try {
      const opened = openLine(line, crc);
      if (opened.kind === 'whole') [sealed, crc] = [true, opened.crc];
      else if (sealed || opened.kind !== 'unsealed') throw new Error('it does not fit its checksum');
      const value: unknown = JSON.parse(opened.kind === 'whole' ? opened.json : line);
      if (number === 0) {
        dimension = headSchema.parse(value).dimension;
        return;
      }
      const { texts, vectorsCrc32 } = groupSchema.parse(value);
      groups.push({ first: rows.size, count: texts.length, crc: vectorsCrc32 });
      for (const text of texts) rows.set(text, rows.size);
    } catch (cause) {
      const message = `${file}, line ${number + 1}, is none of an index of embeddings, or was changed; delete it and its .f32`;
      throw new AuditError('data_malformed', message, { file, row: number + 1 }, { cause });
    }
  });
  return { rows, groups, dimension, bytes, crc };
}

export class VectorStore {
  readonly #identity: EmbedderIdentity;
  readonly #vectorFile: string;
  readonly #indexFile: string;
  readonly #vectors: FileHandle;
  readonly #index: FileHandle;
  readonly #rows: Map<string, number>;
  readonly #groups: Group[];
  /** Groups that were held against their checksums. */
  readonly #checked = new Set<Group>();
  #dimension: number | null;
  #indexBytes: number;
  #crc: number;
  #appending: Promise<void> = Promise.resolve();

  private constructor(
    identity: EmbedderIdentity,
    files: { vectorFile: string; indexFile: string },
    handles: { vectors: FileHandle; index: FileHandle },
    { rows, groups, dimension, bytes, crc }: Index,
  ) {
    this.#identity = identity;
    this.#vectorFile = files.vectorFile;
    this.#indexFile = files.indexFile;
    this.#vectors = handles.vectors;
    this.#index = handles.index;
    this.#rows = new Map(rows);
    this.#groups = [...groups];
    this.#dimension = dimension;
    this.#indexBytes = bytes;
    this.#crc = crc;
  }

  /**
   * Opens the store of an embedder in a folder, making both if need be. Throws `data_malformed` for files that are no
   * store, `file_unreadable` and `file_unwritable`.
   */
  static async open(folder: string, identity: EmbedderIdentity): Promise<VectorStore> {
    const stem = path.join(folder, `embeddings-${textHash(canonical(identity)).slice(0, 16)}`);
    const files = { vectorFile: `${stem}.f32`, indexFile: `${stem}.jsonl` };
    const index = await openFile(files.indexFile);
    try {
      const vectors = await openFile(files.vectorFile);
      try {
        const known = readIndex(await index.readFile(), files.indexFile);
        await checkAndCut(files, { vectors, index }, known);
        return new VectorStore(identity, files, { vectors, index }, known);
      } catch (thrown) {
        await vectors.close();
        throw thrown;
      }
    } catch (thrown) {
      await index.close();
      throw thrown;
    }
  }

  /** Entries in a vector; null while there is none. */
  get dimension(): number | null {
    return this.#dimension;
  }

  has(hash: string): boolean {
    return this.#rows.has(hash);
  }

  /** The row of a text that {@link has}. */
  rowOf(hash: string): number {
    const row = this.#rows.get(hash);
    if (row === undefined) throw new AuditError('internal', `no vector of the text ${hash}`);
    return row;
  }

  /**
   * Appends vectors of length 1, of texts that are not there, in one array. Throws `length_mismatch` for another
   * dimension than that of the store, `file_unwritable`, and `data_malformed` where somebody else has written meanwhile.
   */
  append(hashes: readonly string[], vectors: Float32Array): Promise<void> {
    // One after the other: each has its place behind the one before.
    const appended = this.#appending.then(() => this.#append(hashes, vectors));
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  async #append(hashes: readonly string[], vectors: Float32Array): Promise<void> {
    if (hashes.length === 0) return;
    const dimension = vectors.length / hashes.length;
    if (this.#dimension !== null && dimension !== this.#dimension) {
      const message = `${this.#vectorFile} has vectors of ${this.#dimension} entries, and the embedder now gives ${dimension}; delete it and its .jsonl`;
      throw new AuditError('length_mismatch', message, { file: this.#vectorFile });
    }
    const bytes = Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    const group = { first: this.#rows.size, count: hashes.length, crc: crc32(bytes) };
    const head = this.#dimension === null ? sealLine(JSON.stringify(this.#head(dimension))) : null;
    const json = JSON.stringify({ texts: hashes, vectorsCrc32: group.crc });
    const { line, crc } = sealLine(json, head?.crc ?? this.#crc);
    const lines = Buffer.from(`${head === null ? '' : `${head.line}\n`}${line}\n`);
    await this.#checkAlone();
    await writeFully(this.#vectors, this.#vectorFile, bytes, group.first * dimension * FLOAT_BYTES);
    await writeFully(this.#index, this.#indexFile, lines, this.#indexBytes);
    this.#indexBytes += lines.length;
    this.#crc = crc;
    this.#groups.push(group);
    this.#dimension = dimension;
    for (const hash of hashes) this.#rows.set(hash, this.#rows.size);
  }

  /** Two builds that append to one store would write over each other. */
  async #checkAlone(): Promise<void> {
    const { size } = await this.#index.stat();
    if (size === this.#indexBytes) return;
    const message = `${this.#indexFile} was changed meanwhile; let one build after the other write to its folder`;
    throw new AuditError('data_malformed', message, { file: this.#indexFile });
  }

  #head(dimension: number): z.infer<typeof headSchema> {
    return { format: FORMAT, version: 1, dimension, embedder: this.#identity };
  }

  /**
   * The vectors of these rows, in order. Neighbours in the file are read in one go. Throws `data_malformed` where a group that
   * they are of was changed, and `file_unreadable`.
   */
  async read(rows: ArrayLike<number>): Promise<Float32Array> {
    const dimension = this.#dimension ?? 0;
    const vectors = new Float32Array(rows.length * dimension);
    const bytes = new Uint8Array(vectors.buffer);
    const length = dimension * FLOAT_BYTES;
    for (let first = 0; first < rows.length; ) {
      let end = first + 1;
      while (end < rows.length && rows[end] === rows[end - 1]! + 1) end += 1;
      await this.#checkGroups(rows[first]!, rows[end - 1]!);
      await readFully(this.#vectors, this.#vectorFile, {
        into: bytes.subarray(first * length, end * length),
        at: rows[first]! * length,
      });
      first = end;
    }
    return vectors;
  }

  /** Those that rows `from` to `to` are of. */
  async #checkGroups(from: number, to: number): Promise<void> {
    for (let at = lastNotAfter(this.#groups, from); ; at += 1) {
      const group = this.#groups[at];
      if (group === undefined || group.first > to) return;
      if (this.#checked.has(group)) continue;
      if (group.crc !== undefined) await this.#checkGroup(group, at + 1);
      this.#checked.add(group);
    }
  }

  async #checkGroup({ first, count, crc }: Group, number: number): Promise<void> {
    const length = this.#dimension! * FLOAT_BYTES;
    const at = first * length;
    const into = new Uint8Array(count * length);
    await readFully(this.#vectors, this.#vectorFile, { into, at });
    if (crc32(into) === crc) return;
    const message = `${this.#vectorFile}: block ${number} (bytes ${at} to ${at + into.length - 1}) does not fit its checksum: it was changed after it was written; delete it and its .jsonl, and build again`;
    throw new AuditError('data_malformed', message, { file: this.#vectorFile, block: number });
  }

  async close(): Promise<void> {
    await this.#vectors.close();
    await this.#index.close();
  }
}

/** Place of the last group that begins at a row or in front of it. */
function lastNotAfter(groups: readonly Group[], row: number): number {
  let [low, high] = [0, groups.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (groups[middle]!.first <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

async function openFile(file: string): Promise<FileHandle> {
  makeFolder(path.dirname(file), file);
  try {
    // Opened for both, made where it is not there, and never emptied.
    return await open(file, 'a+').then(async (made) => {
      await made.close();
      return open(file, 'r+');
    });
  } catch (cause) {
    throw writeError(file, cause);
  }
}

/** Throws where vectors are missing that the index tells of; cuts off what it does not tell of. */
async function checkAndCut(
  { vectorFile, indexFile }: { vectorFile: string; indexFile: string },
  { vectors, index }: { vectors: FileHandle; index: FileHandle },
  known: Index,
): Promise<void> {
  const bytes = known.rows.size * (known.dimension ?? 0) * FLOAT_BYTES;
  const { size } = await vectors.stat();
  if (size < bytes) {
    const message = `${vectorFile} has ${size} bytes, and ${indexFile} tells of ${bytes}; delete both`;
    throw new AuditError('data_malformed', message, { file: vectorFile });
  }
  await vectors.truncate(bytes);
  await index.truncate(known.bytes);
}

/** Writes all bytes at a place, and waits until the disk has them. */
async function writeFully(handle: FileHandle, file: string, bytes: Uint8Array, at: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
    await handle.datasync();
  } catch (cause) {
    throw writeError(file, cause);
  }
}

/** Fills `into` from the byte `at` of a file. Throws `file_unreadable` where the file ends before. */
export async function readFully(
  handle: FileHandle,
  file: string,
  { into, at }: { readonly into: Uint8Array; readonly at: number },
): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, at + done).catch((cause) => {
      throw fileError(file, cause);
    });
    if (bytesRead === 0) {
      const message = `${file} ends at byte ${at + done}, where more was to be read; it was changed meanwhile`;
      throw new AuditError('file_unreadable', message, { file });
    }
    done += bytesRead;
  }
}
