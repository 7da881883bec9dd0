/**
 * Writes GGUF version 3: a header, typed metadata, and tensors aligned to 32 bytes: float32, or bytes of any type. It
 * knows only what planted models need; reading GGUF is llama.cpp's business.
 */

import { AuditError } from '../../errors.ts';

/** A metadata value with the type it is stored as. */
export type GgufValue =
  | { readonly type: 'uint32'; readonly value: number }
  | { readonly type: 'float32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'float32s'; readonly value: Float32Array }
  | { readonly type: 'int32s'; readonly value: Int32Array };

export interface GgufTensor {
  readonly name: string;
  /** Sizes, innermost first: a matrix of R rows and C columns is [C, R]. */
  readonly dims: readonly number[];
  /** Product of `dims` values, row-major; or their bytes in a type of the format, by its number. */
  readonly data: Float32Array | EncodedWeights;
}

export interface EncodedWeights {
  readonly type: number;
  readonly bytes: Uint8Array;
}

const ALIGNMENT = 32;

/** Value type numbers of the format. */
const TYPE = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;

/** Tensor type number of float32. */
const TENSOR_F32 = 0;

/** The bytes of a GGUF file; the same arguments give the same bytes. */
export function ggufBytes(
  metadata: ReadonlyMap<string, GgufValue>,
  tensors: readonly GgufTensor[],
): Uint8Array {
  const out = new Bytes();
  out.raw(new TextEncoder().encode('GGUF'));
  out.uint32(3);
  out.uint64(tensors.length);
  out.uint64(metadata.size);
  for (const [key, value] of metadata) {
    out.string(key);
    writeValue(out, value);
  }
  let offset = 0;
  for (const { name, dims, data } of tensors) {
    const size = dims.reduce((product, dim) => product * dim, 1);
    if (data instanceof Float32Array && size !== data.length) {
      throw new AuditError(
        'length_mismatch',
        `tensor ${name}: dims ${dims.join(' x ')} need ${size} values, got ${data.length}`,
      );
    }
    out.string(name);
    out.uint32(dims.length);
    for (const dim of dims) out.uint64(dim);
    out.uint32(data instanceof Float32Array ? TENSOR_F32 : data.type);
    out.uint64(offset);
    offset = aligned(offset + (data instanceof Float32Array ? data.byteLength : data.bytes.length));
  }
  out.align();
  for (const { data } of tensors) {
    if (data instanceof Float32Array) out.float32s(data);
    else out.raw(data.bytes);
    out.align();
  }
  return out.bytes();
}

function writeValue(out: Bytes, { type, value }: GgufValue): void {
  switch (type) {
    case 'uint32':
      out.uint32(TYPE.uint32);
      out.uint32(value);
      break;
    case 'float32':
      out.uint32(TYPE.float32);
      out.float32s(Float32Array.of(value));
      break;
    case 'bool':
      out.uint32(TYPE.bool);
      out.raw(Uint8Array.of(value ? 1 : 0));
      break;
    case 'string':
      out.uint32(TYPE.string);
      out.string(value);
      break;
    case 'strings':
      out.arrayHead(TYPE.string, value.length);
      for (const item of value) out.string(item);
      break;
    case 'float32s':
      out.arrayHead(TYPE.float32, value.length);
      out.float32s(value);
      break;
    case 'int32s':
      out.arrayHead(TYPE.int32, value.length);
      for (const item of value) out.uint32(item >>> 0);
      break;
  }
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** A growing little-endian byte buffer. */
class Bytes {
  #buffer = new Uint8Array(1 << 16);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;

  raw(bytes: Uint8Array): void {
    // First the room: making it may replace the buffer.
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }

  uint32(value: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  uint64(value: number): void {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, BigInt(value), true);
  }

  string(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.uint64(bytes.length);
    this.raw(bytes);
  }

  arrayHead(type: number, length: number): void {
    this.uint32(TYPE.array);
    this.uint32(type);
    this.uint64(length);
  }

  float32s(values: Float32Array): void {
    const at = this.#reserve(values.length * 4);
    for (const [i, value] of values.entries()) this.#view.setFloat32(at + i * 4, value, true);
  }

  /** Zero bytes up to the next multiple of the alignment. */
  align(): void {
    this.#reserve(aligned(this.#length) - this.#length);
  }

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  /** Makes room for `size` more bytes, zeroed, and gives the offset where they start. */
  #reserve(size: number): number {
    const at = this.#length;
    this.#length += size;
    if (this.#length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#buffer.length * 2));
      larger.set(this.#buffer);
      this.#buffer = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}
