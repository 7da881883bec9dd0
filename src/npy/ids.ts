/** Token ids out of a NumPy file, one a row, as a stream beside that of the logits: [rows], or a single number. */
import { AuditError } from '../errors.ts';
import { checkOrder, checkSize, openNpy, shapeText } from './array.ts';
import { readBlocks, type Slot } from './blocks.ts';
import { needsSwap, swapBytes } from './decode.ts';
import { type ElementType, type IdType, ITEM_BYTES, idsType } from './dtype.ts';

export interface IdsBlock {
  readonly firstRow: number;
  readonly rows: number;
  readonly ids: Int32Array;
}

export interface IdsFile {
  readonly path: string;
  readonly rows: number;
  blocks(rowsPerBlock: number): AsyncGenerator<IdsBlock, void, undefined>;
}

/** The id of a row that has none. */
const NO_ID = -1;

/**
 * Opens a file of int32 or int64 ids, each below `vocab`, or -1 for a row without one. Errors: as `openLogits`, and
 * `out_of_range` from the blocks for an id that is neither.
 */
export async function openIds(path: string, vocab: number): Promise<IdsFile> {
  const npy = await openNpy(path);
  const { header } = npy;
  const element = idsType(header.descr, path);
  checkOrder(npy);
  if (header.shape.length > 1) {
    const message = `${path} has shape ${shapeText(header.shape)}; token ids are [rows], one a row`;
    throw new AuditError('data_malformed', message, { file: path, shape: header.shape });
  }
  const rows = header.shape[0] ?? 1;
  const itemBytes = ITEM_BYTES[element.type];
  checkSize(npy, rows, itemBytes);
  async function* blocks(rowsPerBlock: number): AsyncGenerator<IdsBlock> {
    if (rows === 0) return;
    const layout = { path, offset: header.dataOffset, rowBytes: itemBytes, rows, rowsPerBlock };
    for await (const block of readBlocks(layout, (count) => idSlot(element, count, vocab, path))) {
      yield { firstRow: block.firstRow, rows: block.rows, ids: block.value };
    }
  }
  return { path, rows, blocks };
}

function idSlot(
  { type, bigEndian }: ElementType<IdType>,
  rows: number,
  vocab: number,
  file: string,
): Slot<Int32Array> {
  const ids = new Int32Array(rows);
  const wide = type === 'int64' ? new BigInt64Array(rows) : null;
  const raw = new Uint8Array((wide ?? ids).buffer);
  const itemBytes = ITEM_BYTES[type];
  return {
    raw,
    finish(firstRow, count) {
      if (needsSwap(bigEndian)) swapBytes(raw.subarray(0, count * itemBytes), itemBytes);
      for (let i = 0; i < count; i += 1) {
        const id = wide === null ? ids[i]! : wide[i]!;
        if (id < NO_ID || id >= vocab) {
          throw new AuditError(
            'out_of_range',
            `${file}: row ${firstRow + i} (counted from 0) has id ${id}; ids go from 0 to ${vocab - 1}, and ${NO_ID} stands for none`,
            { file, row: firstRow + i, id: Number(id) },
          );
        }
        if (wide !== null) ids[i] = Number(id);
      }
      return ids.subarray(0, count);
    },
  };
}
