/**
 * Reads a file forwards, a window at a time: little-endian numbers and length-prefixed texts. Every length is held
 * against the file's size before anything is made of it, so a file that claims terabytes costs nothing.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AuditError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';

const WINDOW_BYTES = 512 * 1024;
/** The longest text that is taken into memory; chat templates have some 20,000 bytes. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

export class Cursor {
  readonly path: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** What is being read, for messages. */
  reading = 'the header';
  readonly #file: FileHandle;
  #window = Buffer.alloc(0);
  /** Where in the file the window begins. */
  #windowAt = 0;
  #position = 0;

  private constructor(path: string, file: FileHandle, size: number) {
    this.path = path;
    this.#file = file;
    this.size = size;
  }

  /** Opens a regular file, and closes it when `use` is done. Throws `file_not_found`, `file_unreadable`. */
  static async over<T>(path: string, use: (cursor: Cursor) => Promise<T>): Promise<T> {
    let file: FileHandle;
    try {
      // A pipe without a writer would wait for ever; what is no regular file is refused below.
      file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (cause) {
      throw fileError(path, cause);
    }
    try {
      const stat = await file.stat();
      if (!stat.isFile()) {
        const what = stat.isDirectory() ? 'is a folder' : 'is not a regular file';
        throw new AuditError('file_unreadable', `${path} ${what}; give a GGUF file`, { file: path });
      }
      return await use(new Cursor(path, file, stat.size));
    } catch (cause) {
      throw fileError(path, cause);
    } finally {
      await file.close();
    }
  }

  /** Bytes in front of the next one that is read. */
  get position(): number {
    return this.#position;
  }

  /** Goes to a place in the file. */
  seek(position: number): void {
    this.#position = position;
  }

  /** The next bytes; they are the reader's only until the next call. */
  async bytes(length: number): Promise<Buffer> {
    if (!this.#holds(length)) await this.#fill(length);
    const at = this.#position - this.#windowAt;
    this.#position += length;
    return this.#window.subarray(at, at + length);
  }

  async uint32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE();
  }

  /** A 64-bit size or count. What JavaScript cannot count is beyond any file, and an error. */
  async size64(): Promise<number> {
    const value = (await this.bytes(8)).readBigUInt64LE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.fault(`claims ${value}`);
    return Number(value);
  }

  async text(): Promise<string> {
    const length = await this.size64();
    this.#checkLeft(length);
    if (length > MAX_TEXT_BYTES)
      throw this.fault(`is a text of ${length} bytes; ${MAX_TEXT_BYTES} are the most`);
    return (await this.bytes(length)).toString('utf8');
  }

  skip(length: number): void {
    this.#checkLeft(length);
    this.#position += length;
  }

  /** Passes over texts without decoding them: vocabularies have hundreds of thousands. */
  async skipTexts(count: number): Promise<void> {
    this.#checkLeft(count * 8);
    for (let left = count; left > 0; left -= 1) {
      // Not size64: a promise a text would cost more than reading it.
      if (!this.#holds(8)) await this.#fill(8);
      const at = this.#position - this.#windowAt;
      const length = this.#window.readUInt32LE(at) + this.#window.readUInt32LE(at + 4) * 2 ** 32;
      this.#position += 8;
      this.skip(length);
    }
  }

  /** The file cannot be used: what is wrong with the part that is being read. */
  fault(what: string): AuditError {
    const message = `model file ${this.path} cannot be used: ${this.reading} ${what} (near byte ${this.#position})`;
    return new AuditError('model_invalid', message, { file: this.path, offset: this.#position });
  }

  #holds(length: number): boolean {
    const at = this.#position - this.#windowAt;
    return at >= 0 && at + length <= this.#window.length;
  }

  #checkLeft(length: number): void {
    if (length > this.size - this.#position) {
      throw this.fault(
        `goes beyond the end of the file, which has ${this.size} bytes; it is damaged or truncated, download or copy it again`,
      );
    }
  }

  async #fill(length: number): Promise<void> {
    this.#checkLeft(length);
    const wanted = Math.min(Math.max(length, WINDOW_BYTES), this.size - this.#position);
    const window = Buffer.alloc(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#file.read(window, filled, wanted - filled, this.#position + filled);
      if (bytesRead === 0) throw this.fault('ends early: the file became shorter while it was read');
      filled += bytesRead;
    }
    this.#window = window;
    this.#windowAt = this.#position;
  }
}
