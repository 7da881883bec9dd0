/**
 * The header of a GGUF file: its metadata and the list of its tensors, without the weights. Long arrays (vocabulary,
 * merges, scores) are passed over and remembered by their place.
 */
import { AuditError } from '../errors.ts';
import { Cursor } from './cursor.ts';
import { TENSOR_TYPES } from './types.ts';

export type Scalar = number | bigint | boolean | string;

export interface MetadataArray {
  readonly length: number;
  /** Where its first entry begins. */
  readonly offset: number;
  readonly holdsTexts: boolean;
  /** Number of its entries' type in the format. */
  readonly itemType: number;
  /** The entries of a short array. */
  readonly items: readonly Scalar[] | null;
}

export interface GgufTensor {
  readonly name: string;
  /** Sizes, innermost first. */
  readonly shape: readonly number[];
  readonly type: string;
  readonly values: number;
  /** Bytes that it takes; null for a type that this version does not know. */
  readonly bytes: number | null;
}

export interface GgufHeader {
  readonly path: string;
  readonly fileBytes: number;
  readonly version: number;
  readonly metadata: ReadonlyMap<string, Scalar | MetadataArray>;
  readonly tensors: readonly GgufTensor[];
}

/** Arrays up to this length are kept: settings by layer, not vocabularies. */
const MAX_KEPT_ITEMS = 1024;
/** Entries of a long array that are read at once. */
const CHUNK_ITEMS = 65_536;
const MAX_KEYS = 100_000;
const MAX_TENSORS = 1_000_000;
const MAX_DIMENSIONS = 4;
const TEXT = 8;
const ARRAY = 9;

/** Value types of fixed size, by number: bytes, and how they are read. */
const FIXED: ReadonlyMap<number, readonly [bytes: number, read: (at: Buffer) => Scalar]> = new Map([
  [0, [1, (at) => at.readUInt8()]],
  [1, [1, (at) => at.readInt8()]],
  [2, [2, (at) => at.readUInt16LE()]],
  [3, [2, (at) => at.readInt16LE()]],
  [4, [4, (at) => at.readUInt32LE()]],
  [5, [4, (at) => at.readInt32LE()]],
  [6, [4, (at) => at.readFloatLE()]],
  [7, [1, (at) => at.readUInt8() !== 0]],
  [10, [8, (at) => at.readBigUInt64LE()]],
  [11, [8, (at) => at.readBigInt64LE()]],
  [12, [8, (at) => at.readDoubleLE()]],
]);

/**
 * Reads the header of one file. Throws `file_not_found`, `file_unreadable`, `not_gguf`, and `model_invalid` with the
 * key or tensor and the byte where the file is wrong, a file that ends before its weights do included.
 */
export async function readHeader(path: string): Promise<GgufHeader> {
  return await Cursor.over(path, async (cursor) => {
    const version = await readVersion(cursor);
    const tensorCount = await cursor.size64();
    const keyCount = await cursor.size64();
    if (tensorCount > MAX_TENSORS) throw cursor.fault(`claims ${tensorCount} tensors`);
    if (keyCount > MAX_KEYS) throw cursor.fault(`claims ${keyCount} metadata keys`);
    const metadata = new Map<string, Scalar | MetadataArray>();
    for (let index = 0; index < keyCount; index += 1) {
      cursor.reading = `metadata key ${index} of ${keyCount}`;
      const key = await cursor.text();
      cursor.reading = `metadata key "${key.slice(0, 100)}"`;
      if (metadata.has(key)) throw cursor.fault('is there twice');
      metadata.set(key, await readValue(cursor, await cursor.uint32()));
    }
    const tensors = await readTensors(cursor, tensorCount, alignmentOf(cursor, metadata));
    return { path, fileBytes: cursor.size, version, metadata, tensors };
  });
}

/** Some entries of an array of texts, by index. Errors: of {@link readHeader}. */
export async function readTexts(
  path: string,
  { offset, length }: MetadataArray,
  indices: readonly number[],
): Promise<Map<number, string>> {
  const wanted = [...new Set(indices)].filter((index) => index >= 0 && index < length).sort((a, b) => a - b);
  return await Cursor.over(path, async (cursor) => {
    cursor.reading = 'an array of texts';
    cursor.seek(offset);
    const texts = new Map<number, string>();
    let at = 0;
    for (const index of wanted) {
      await cursor.skipTexts(index - at);
      texts.set(index, await cursor.text());
      at = index + 1;
    }
    return texts;
  });
}

/** Every entry of an array of numbers, however long it is; none of an array of texts. Errors: of {@link readHeader}. */
export async function readNumbers(
  path: string,
  { offset, length, itemType }: MetadataArray,
): Promise<number[]> {
  const fixed = FIXED.get(itemType);
  if (fixed === undefined) return [];
  const [itemBytes, read] = fixed;
  return await Cursor.over(path, async (cursor) => {
    cursor.reading = 'an array of numbers';
    cursor.seek(offset);
    const numbers: number[] = [];
    while (numbers.length < length) {
      const count = Math.min(CHUNK_ITEMS, length - numbers.length);
      const chunk = await cursor.bytes(count * itemBytes);
      for (let item = 0; item < count; item += 1)
        numbers.push(Number(read(chunk.subarray(item * itemBytes))));
    }
    return numbers;
  });
}

async function readVersion(cursor: Cursor): Promise<number> {
  const magic = cursor.size < 4 ? '' : (await cursor.bytes(4)).toString('latin1');
  if (magic !== 'GGUF') {
    const message = `${cursor.path} is not a GGUF file: it does not begin with the letters GGUF; convert the model first`;
    throw new AuditError('not_gguf', message, { file: cursor.path });
  }
  const version = await cursor.uint32();
  if (version === 2 || version === 3) return version;
  const bigEndian = version > 0 && (version & 0xffff) === 0;
  throw cursor.fault(
    bigEndian
      ? 'is in big-endian order; convert the model for little-endian machines'
      : `is of version ${version}; versions 2 and 3 are read, convert the model again`,
  );
}

async function readValue(cursor: Cursor, type: number): Promise<Scalar | MetadataArray> {
  if (type !== ARRAY) return await readScalar(cursor, type);
  const itemType = await cursor.uint32();
  const length = await cursor.size64();
  const offset = cursor.position;
  const items: Scalar[] | null = length <= MAX_KEPT_ITEMS ? [] : null;
  const itemBytes = FIXED.get(itemType)?.[0];
  if (itemBytes === undefined && itemType !== TEXT)
    throw cursor.fault(`is an array of the unknown type ${itemType}`);
  if (items) for (let index = 0; index < length; index += 1) items.push(await readScalar(cursor, itemType));
  else if (itemBytes === undefined) await cursor.skipTexts(length);
  else cursor.skip(length * itemBytes);
  return { length, offset, holdsTexts: itemType === TEXT, itemType, items };
}

async function readScalar(cursor: Cursor, type: number): Promise<Scalar> {
  if (type === TEXT) return await cursor.text();
  const fixed = FIXED.get(type);
  if (fixed === undefined) throw cursor.fault(`is of the unknown type ${type}`);
  return fixed[1](await cursor.bytes(fixed[0]));
}

function alignmentOf(cursor: Cursor, metadata: GgufHeader['metadata']): number {
  const alignment = metadata.get('general.alignment') ?? 32;
  if (typeof alignment === 'number' && alignment > 0 && Number.isInteger(Math.log2(alignment)))
    return alignment;
  cursor.reading = 'metadata key "general.alignment"';
  throw cursor.fault('is not a power of two');
}

async function readTensors(cursor: Cursor, count: number, alignment: number): Promise<GgufTensor[]> {
  const tensors: GgufTensor[] = [];
  const ends: number[] = [];
  for (let index = 0; index < count; index += 1) {
    cursor.reading = `tensor ${index} of ${count}`;
    const name = await cursor.text();
    cursor.reading = `tensor "${name.slice(0, 100)}"`;
    const dimensions = await cursor.uint32();
    if (dimensions > MAX_DIMENSIONS)
      throw cursor.fault(`has ${dimensions} dimensions; ${MAX_DIMENSIONS} are the most`);
    const shape: number[] = [];
    for (let axis = 0; axis < dimensions; axis += 1) shape.push(await cursor.size64());
    const tensor = tensorOf(cursor, name, shape, await cursor.uint32());
    ends.push((await cursor.size64()) + (tensor.bytes ?? 0));
    tensors.push(tensor);
  }
  const dataAt = Math.ceil(cursor.position / alignment) * alignment;
  const end = ends.reduce((last, relative) => Math.max(last, dataAt + relative), 0);
  if (end > cursor.size) {
    cursor.reading = 'the file';
    throw cursor.fault(`is truncated: ${cursor.size} bytes of at least ${end}; download or copy it again`);
  }
  return tensors;
}

function tensorOf(cursor: Cursor, name: string, shape: readonly number[], typeNumber: number): GgufTensor {
  const values = shape.reduce((product, size) => product * size, 1);
  if (!Number.isSafeInteger(values)) throw cursor.fault(`claims ${values} values`);
  const type = TENSOR_TYPES.get(typeNumber);
  if (type === undefined) return { name, shape, type: `type ${typeNumber}`, values, bytes: null };
  if ((shape[0] ?? 1) % type.blockValues !== 0) {
    throw cursor.fault(`has rows of ${shape[0]} values, which are no whole blocks of ${type.name}`);
  }
  return { name, shape, type: type.name, values, bytes: (values / type.blockValues) * type.blockBytes };
}
