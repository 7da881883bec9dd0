/** A NumPy file opened: its header read, its shape held against its size. No element is read here. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { AuditError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { dataOffset, type NpyHeader, PREAMBLE_BYTES, parseHeader } from './header.ts';

export interface NpyFile {
  readonly path: string;
  readonly header: NpyHeader;
  /** Bytes of the whole file. */
  readonly bytes: number;
}

/** Reads the header of `path`. Errors: `file_not_found`, `file_unreadable`, `data_malformed`. */
export async function openNpy(path: string): Promise<NpyFile> {
  // Asked before it is opened: opening a pipe waits for somebody to write.
  const stats = await stat(path).catch((cause) => {
    throw fileError(path, cause);
  });
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? 'is a folder' : 'is not a regular file';
    throw new AuditError('file_unreadable', `${path} ${what}; give a file that numpy.save wrote`, {
      file: path,
    });
  }
  return withFile(path, async (handle) => {
    const preamble = await readAt(handle, 0, PREAMBLE_BYTES);
    const header = parseHeader(await readAt(handle, 0, dataOffset(preamble, path)), path);
    return { path, header, bytes: stats.size };
  });
}

/** Opens `path` for as long as `use` takes. Faults of the file system leave as errors of ours. */
async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    const handle = await open(path, 'r');
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw fileError(path, cause);
  }
}

/** Up to `length` bytes from `position`; fewer only at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, await fill(handle, bytes, position));
}

/** Fills `bytes` from `position` of the file; returns how many there were. */
export async function fill(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

/** Holds the file's size against `elements` of `itemBytes`, before anything is read. Throws `data_malformed`. */
export function checkSize({ path, header, bytes }: NpyFile, elements: number, itemBytes: number): void {
  const wanted = header.dataOffset + elements * itemBytes;
  if (bytes === wanted) return;
  const difference = Math.abs(bytes - wanted);
  const found =
    bytes < wanted
      ? `the file is cut short: ${difference} bytes are missing`
      : `${difference} bytes follow the end of the array`;
  throw new AuditError(
    'data_malformed',
    `${path}: ${found}; shape ${shapeText(header.shape)} of ${itemBytes} bytes each makes a file of ${wanted} bytes, this one has ${bytes}`,
    { file: path, bytes, wanted },
  );
}

export function shapeText(shape: readonly number[]): string {
  const shown = shape.slice(0, 8).join(', ');
  return `[${shown}${shape.length > 8 ? ', ...' : ''}]`;
}

/** Refuses arrays that are laid out column after column. */
export function checkOrder({ path, header }: NpyFile): void {
  if (!header.fortranOrder) return;
  throw new AuditError(
    'data_malformed',
    `${path} is in Fortran order (column after column); rows are wanted: np.save(path, np.ascontiguousarray(array))`,
    { file: path },
  );
}
