/**
 * The journal of answers: one answer a line under the hash of its whole request, on the disk before anybody gets it.
 * What stands in it is not asked again, in this run or a later one. Of each answer only the place in the file is kept in memory.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AuditError } from '../../errors.ts';
import { makeFolder, writeError } from '../../files/atomic.ts';
import { takeLock } from '../../files/lock.ts';
import { openLine, sealLine } from '../../files/sealed-line.ts';
import type { ApiRequest } from './endpoint.ts';
import type { Reply } from './reply.ts';

/** The form of a line. Another one has another version, and is asked anew. */
const VERSION = 1;
/** What replies did not have when some lines were written. */
const ADDED = { reasoning: '', unanswered: null, notes: [], written: [] } as const;
const LINE_FEED = 10;
const CHUNK = 2 ** 16;

interface Place {
  readonly start: number;
  readonly length: number;
}

interface Line {
  readonly v: number;
  readonly key: string;
  readonly reply: Reply;
}

/** The same in every order of keys. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, own]) => own !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, own]) => [key, canonical(own)]),
  );
}

/**
 * What an answer is known by: SHA-256 over the address and everything that is asked, images included. `draw` tells apart
 * requests of one text that are to be answered anew each, where no seed is sent.
 */
export function requestKey(baseUrl: string, { api, body }: ApiRequest, draw: number): string {
  const whole = canonical({ version: VERSION, baseUrl, api, body, draw });
  return createHash('sha256').update(JSON.stringify(whole)).digest('hex');
}

function held(file: string, lock: string, holder: string): AuditError {
  const message = `${file} is being written by ${holder}; give another file for --answers, or wait for its end (if it is gone for certain, delete ${lock})`;
  return new AuditError('output_exists', message, { file, lock });
}

export class Answers {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #places: Map<string, Place>;
  readonly #unlock: () => void;
  #end: number;
  #waiting: { readonly line: Buffer; readonly key: string; settle(fault?: unknown): void }[] = [];
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    path: string,
    file: FileHandle,
    places: Map<string, Place>,
    end: number,
    unlock: () => void,
  ) {
    this.#path = path;
    this.#file = file;
    this.#places = places;
    this.#end = end;
    this.#unlock = unlock;
  }

  /**
   * Opens a journal, or begins it. A torn last line, of a run that was killed, is cut off. Throws `output_exists` where
   * another process writes it, `data_malformed` for a damaged line in the middle, `file_unwritable`.
   */
  static async open(path: string): Promise<Answers> {
    makeFolder(dirname(path), path);
    const lock = `${path}.lock`;
    const unlock = takeLock(lock, (holder) => held(path, lock, holder));
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'a+').catch((cause) => {
        throw writeError(path, cause);
      });
      const { places, end } = await readPlaces(path, file);
      await file.truncate(end);
      return new Answers(path, file, places, end, unlock);
    } catch (thrown) {
      await file?.close();
      unlock();
      throw thrown;
    }
  }

  /** How many there are. */
  get size(): number {
    return this.#places.size;
  }

  /** Null where it was not asked yet. */
  async find(key: string): Promise<Reply | null> {
    const place = this.#places.get(key);
    if (place === undefined) return null;
    const bytes = Buffer.alloc(place.length);
    await this.#file.read(bytes, 0, place.length, place.start);
    return { ...ADDED, ...(JSON.parse(bytes.toString('utf8')) as Line).reply };
  }

  /** Resolves once the answer is on the disk. Throws `storage_failed` for a disk that is full or fails, and `file_unwritable`. */
  add(key: string, reply: Reply): Promise<void> {
    const line = Buffer.from(`${sealLine(JSON.stringify({ v: VERSION, key, reply } satisfies Line)).line}\n`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, key, settle: (fault) => (fault ? reject(fault) : resolve()) });
      this.#writing = this.#writing.then(() => this.#write());
    });
  }

  /** All that came while the last ones were written go in one write. */
  async #write(): Promise<void> {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    try {
      await this.#file.appendFile(Buffer.concat(batch.map(({ line }) => line)));
      await this.#file.datasync();
    } catch (cause) {
      await this.#file.truncate(this.#end).catch(() => undefined);
      for (const { settle } of batch) settle(writeError(this.#path, cause));
      return;
    }
    for (const { line, key, settle } of batch) {
      this.#places.set(key, { start: this.#end, length: line.length });
      this.#end += line.length;
      settle();
    }
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
    this.#unlock();
  }
}

function placeOf(path: string, number: number, line: Buffer): string {
  let what = 'is no answer of a journal';
  try {
    const text = line.toString('utf8').trimEnd();
    const { v, key } = JSON.parse(text) as Line;
    const { kind } = openLine(text);
    if (v === VERSION && typeof key === 'string') {
      // Lines of earlier versions have no checksum.
      if (kind === 'whole' || kind === 'unsealed') return key;
      what = 'does not fit its checksum: it was changed after it was written';
    }
  } catch {
    // Reported below.
  }
  const message = `${path}: line ${number} ${what}; give another file for --answers, or take the line out`;
  throw new AuditError('data_malformed', message, { file: path, line: number });
}

/** Where each answer stands, and where the last whole line ends. */
async function readPlaces(
  path: string,
  file: FileHandle,
): Promise<{ places: Map<string, Place>; end: number }> {
  const places = new Map<string, Place>();
  let rest = Buffer.alloc(0);
  let end = 0;
  let number = 0;
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, at);
    if (bytesRead === 0) return { places, end };
    at += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    for (let feed = rest.indexOf(LINE_FEED); feed !== -1; feed = rest.indexOf(LINE_FEED)) {
      number += 1;
      const length = feed + 1;
      places.set(placeOf(path, number, rest.subarray(0, length)), { start: end, length });
      end += length;
      rest = rest.subarray(length);
    }
  }
}
