/**
 * Logits out of a NumPy file, as a stream: a file of any length in memory that does not grow with it. The file is [V],
 * one row, or [rows, V].
 */
import { AuditError } from '../errors.ts';
import { checkOrder, checkSize, openNpy, shapeText } from './array.ts';
import { type Block, readBlocks, type Slot } from './blocks.ts';
import { ALL_REPRESENTABLE, decodeFloats } from './decode.ts';
import { type DeclaredType, type ElementType, type FloatType, ITEM_BYTES, logitsType } from './dtype.ts';

/** Rows of raw logits; `logits` holds row after row and is the reader's until the next block is asked for. */
export interface LogitsBlock {
  readonly firstRow: number;
  readonly rows: number;
  readonly logits: Float32Array;
}

/** A file of logits whose header and size were found right. */
export interface LogitsFile {
  readonly path: string;
  readonly type: FloatType;
  readonly rows: number;
  readonly vocab: number;
  /** Reads the file from its start, in blocks of so many rows. Errors: see {@link openLogits}, and float64 beyond float32. */
  blocks(rowsPerBlock?: number): AsyncGenerator<LogitsBlock, void, undefined>;
}

/** Far above any vocabulary; a longer last axis is rows that were flattened. */
export const MAX_VOCAB = 2 ** 24;

const BLOCK_BYTES = 8 * 1024 * 1024;
// Short rows are bounded by number, so that the columns that are made of a block stay small too.
const MAX_BLOCK_ROWS = 4096;

/** Rows in a block when nothing else is said: some megabytes of float32, one row at least. */
export function defaultBlockRows(vocab: number): number {
  return Math.max(1, Math.min(MAX_BLOCK_ROWS, Math.floor(BLOCK_BYTES / (vocab * 4))));
}

/**
 * Opens a file of logits. Errors: `file_not_found`, `file_unreadable`; `data_malformed` for what is no NumPy file, a
 * type, order or shape that cannot be read, and a size that does not fit; `bad_argument` for 16-bit integers that were
 * not declared to be bfloat16.
 */
export async function openLogits(
  path: string,
  { dtype }: { dtype?: DeclaredType | undefined } = {},
): Promise<LogitsFile> {
  const npy = await openNpy(path);
  const { header } = npy;
  const element = logitsType(header.descr, dtype, path);
  checkOrder(npy);
  const { rows, vocab } = rowsAndVocab(header.shape, path);
  const itemBytes = ITEM_BYTES[element.type];
  checkSize(npy, rows * vocab, itemBytes);
  async function* blocks(rowsPerBlock = defaultBlockRows(vocab)): AsyncGenerator<LogitsBlock> {
    if (!Number.isSafeInteger(rowsPerBlock) || rowsPerBlock < 1) {
      throw new AuditError('bad_argument', `blocks of ${rowsPerBlock} rows; give a whole number from 1`);
    }
    const layout = { path, offset: header.dataOffset, rowBytes: vocab * itemBytes, rows, rowsPerBlock };
    for await (const block of readBlocks(layout, (count) => floatSlot(element, count, vocab, path))) {
      yield asLogits(block);
    }
  }
  return { path, type: element.type, rows, vocab, blocks };
}

function asLogits({ firstRow, rows, value }: Block<Float32Array>): LogitsBlock {
  return { firstRow, rows, logits: value };
}

function rowsAndVocab(shape: readonly number[], file: string): { rows: number; vocab: number } {
  const wanted = 'logits are [V], one row, or [rows, V]';
  if (shape.length < 1 || shape.length > 2) {
    const remedy = shape.length > 2 ? ': np.save(path, logits.reshape(-1, logits.shape[-1]))' : '';
    throw malformedShape(shape, file, `${wanted}${remedy}`);
  }
  const vocab = shape.at(-1)!;
  const rows = shape.length === 2 ? shape[0]! : 1;
  if (rows === 0 || vocab === 0) {
    throw new AuditError('data_empty', `${file} has shape ${shapeText(shape)} and so no logits; ${wanted}`, {
      file,
      shape,
    });
  }
  if (vocab > MAX_VOCAB) {
    throw malformedShape(shape, file, `${wanted}, and V is at most ${MAX_VOCAB}; reshape flattened rows`);
  }
  return { rows, vocab };
}

function malformedShape(shape: readonly number[], file: string, wanted: string): AuditError {
  return new AuditError('data_malformed', `${file} has shape ${shapeText(shape)}; ${wanted}`, {
    file,
    shape,
  });
}

function floatSlot(
  element: ElementType<FloatType>,
  rows: number,
  vocab: number,
  file: string,
): Slot<Float32Array> {
  const floats = new Float32Array(rows * vocab);
  // float32 is read to where it stays; other types into bytes of their own.
  const raw =
    element.type === 'float32'
      ? new Uint8Array(floats.buffer)
      : new Uint8Array(floats.length * ITEM_BYTES[element.type]);
  const itemBytes = ITEM_BYTES[element.type];
  return {
    raw,
    finish(firstRow, count) {
      const out = floats.subarray(0, count * vocab);
      const beyond = decodeFloats(element, raw.subarray(0, out.length * itemBytes), out);
      if (beyond !== ALL_REPRESENTABLE) {
        const row = firstRow + Math.floor(beyond / vocab);
        const column = beyond % vocab;
        throw new AuditError(
          'data_malformed',
          `${file}: row ${row}, column ${column} (counted from 0) is a float64 beyond float32, in which logits are measured; for a masked token save -inf`,
          { file, row, column },
        );
      }
      return out;
    },
  };
}
