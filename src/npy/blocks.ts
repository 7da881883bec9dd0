/**
 * A file's rows in blocks, two at a time: while one is in use the next is being read. No more than these two are ever
 * in memory, and nothing is read before it will be wanted.
 */
import { open } from 'node:fs/promises';
import { AuditError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { fill } from './array.ts';

/** Where in a file its rows lie. */
export interface RowLayout {
  readonly path: string;
  /** Bytes in front of the first row. */
  readonly offset: number;
  readonly rowBytes: number;
  readonly rows: number;
  readonly rowsPerBlock: number;
}

/** Memory for one block, used again for every second one. */
export interface Slot<T> {
  /** Room for the bytes of `rowsPerBlock` rows. */
  readonly raw: Uint8Array;
  /** Makes the block's value of its bytes, which begin at the start of `raw`. */
  finish(firstRow: number, rows: number): T;
}

export interface Block<T> {
  readonly firstRow: number;
  readonly rows: number;
  readonly value: T;
}

/**
 * The blocks from the first to the last. A block's value is the caller's until the next one is asked for, then its
 * memory is written anew. Errors: of the file system, `data_malformed` for a file that became shorter, those of `finish`.
 */
export async function* readBlocks<T>(
  { path, offset, rowBytes, rows, rowsPerBlock }: RowLayout,
  makeSlot: (rows: number) => Slot<T>,
): AsyncGenerator<Block<T>, void, undefined> {
  const handle = await open(path, 'r').catch((cause) => {
    throw fileError(path, cause);
  });
  const load = async (firstRow: number, slot: Slot<T>): Promise<Block<T>> => {
    const count = Math.min(rowsPerBlock, rows - firstRow);
    const wanted = slot.raw.subarray(0, count * rowBytes);
    const read = await fill(handle, wanted, offset + firstRow * rowBytes).catch((cause) => {
      throw fileError(path, cause);
    });
    if (read < wanted.length) {
      const message = `${path} became shorter while it was read, at row ${firstRow + Math.floor(read / rowBytes)}; read a file that nothing writes to`;
      throw new AuditError('data_malformed', message, { file: path });
    }
    return { firstRow, rows: count, value: slot.finish(firstRow, count) };
  };
  let next: Promise<Block<T>> | null = null;
  try {
    const slots: Slot<T>[] = [];
    let turn = 0;
    const begin = (firstRow: number) => {
      const slot = slots[turn] ?? makeSlot(Math.min(rowsPerBlock, rows));
      slots[turn] = slot;
      turn = 1 - turn;
      next = load(firstRow, slot);
      // It is thrown to whoever asks for the next block; until then it must not count as unhandled.
      next.catch(() => undefined);
      return next;
    };
    for (let pending = begin(0); ; ) {
      const block = await pending;
      const following = block.firstRow + block.rows;
      if (following < rows) pending = begin(following);
      yield block;
      if (following >= rows) return;
    }
  } finally {
    // The read that is under way writes into memory and uses the handle.
    await (next as Promise<unknown> | null)?.catch(() => undefined);
    await handle.close();
  }
}
