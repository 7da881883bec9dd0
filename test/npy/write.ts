/** Writes NumPy files for tests: by the format's text, sharing nothing with the reader. */

export interface NpyParts {
  readonly descr: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  readonly fortran?: boolean;
  readonly version?: 1 | 2 | 3;
}

/** A file as numpy.save lays it out: the header is padded with spaces to a multiple of 64. */
export function npy({ descr, shape, data, fortran = false, version = 1 }: NpyParts): Buffer {
  const lengths = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const order = fortran ? 'True' : 'False';
  return withHeader(
    `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${lengths}), }`,
    data,
    version,
  );
}

/** A file whose header is any text. */
export function withHeader(literal: string, data: Uint8Array = Buffer.alloc(0), version = 1): Buffer {
  const lengthBytes = version === 1 ? 2 : 4;
  const text = Buffer.from(literal, version === 3 ? 'utf8' : 'latin1');
  const pad = 63 - ((8 + lengthBytes + text.length) % 64);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntLE(text.length + pad + 1, 0, lengthBytes);
  const magic = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  return Buffer.concat([magic, length, text, Buffer.from(`${' '.repeat(pad)}\n`), data]);
}

/** One element at a byte offset. */
export type Put = (view: DataView, at: number, value: number) => void;

export function bytesOf(values: readonly number[], size: number, put: Put): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [index, value] of values.entries()) put(view, index * size, value);
  return bytes;
}

export const float32 = (values: readonly number[], little = true): Buffer =>
  bytesOf(values, 4, (view, at, value) => view.setFloat32(at, value, little));
export const float64 = (values: readonly number[], little = true): Buffer =>
  bytesOf(values, 8, (view, at, value) => view.setFloat64(at, value, little));
export const uint16 = (values: readonly number[], little = true): Buffer =>
  bytesOf(values, 2, (view, at, value) => view.setUint16(at, value, little));
export const int64 = (values: readonly number[], little = true): Buffer =>
  bytesOf(values, 8, (view, at, value) => view.setBigInt64(at, BigInt(value), little));

/** A file of float32 logits. */
export function logitsNpy(values: readonly number[], shape: readonly number[] = [values.length]): Buffer {
  return npy({ descr: '<f4', shape, data: float32(values) });
}
