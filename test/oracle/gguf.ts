/**
 * The oracle's GGUF reader: the whole metadata, and float32 tensors. Written from the format's description; it shares
 * nothing with the product.
 */

import { readFileSync } from 'node:fs';

export type MetadataValue = number | bigint | boolean | string | readonly MetadataValue[];

export interface OracleTensor {
  readonly name: string;
  /** Sizes, innermost first. */
  readonly shape: readonly number[];
  /** Byte offset within the file. */
  readonly offset: number;
  readonly data: Float32Array;
}

export interface OracleGguf {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, MetadataValue>;
  readonly tensors: ReadonlyMap<string, OracleTensor>;
}

export function readGgufFile(path: string): OracleGguf {
  return readGguf(readFileSync(path));
}

export function readGguf(file: Uint8Array): OracleGguf {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = 0;
  const skip = (size: number): number => {
    const start = at;
    at += size;
    return start;
  };
  const u32 = (): number => view.getUint32(skip(4), true);
  const u64 = (): number => Number(view.getBigUint64(skip(8), true));
  const text = (): string => {
    const size = u64();
    const start = skip(size);
    return new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(start, start + size));
  };
  const value = (type: number): MetadataValue => {
    switch (type) {
      case 0:
        return view.getUint8(skip(1));
      case 1:
        return view.getInt8(skip(1));
      case 2:
        return view.getUint16(skip(2), true);
      case 3:
        return view.getInt16(skip(2), true);
      case 4:
        return u32();
      case 5:
        return view.getInt32(skip(4), true);
      case 6:
        return view.getFloat32(skip(4), true);
      case 7:
        return view.getUint8(skip(1)) !== 0;
      case 8:
        return text();
      case 9: {
        const itemType = u32();
        return Array.from({ length: u64() }, () => value(itemType));
      }
      case 10:
        return view.getBigUint64(skip(8), true);
      case 11:
        return view.getBigInt64(skip(8), true);
      case 12:
        return view.getFloat64(skip(8), true);
      default:
        throw new Error(`unknown metadata type ${type} at byte ${at}`);
    }
  };

  if (u32() !== 0x46554747) throw new Error('no GGUF magic');
  const version = u32();
  const tensorCount = u64();
  const metadataCount = u64();
  const metadata = new Map<string, MetadataValue>();
  for (let i = 0; i < metadataCount; i++) {
    const key = text();
    if (metadata.has(key)) throw new Error(`metadata key ${key} twice`);
    metadata.set(key, value(u32()));
  }
  const heads = Array.from({ length: tensorCount }, () => {
    const name = text();
    const shape = Array.from({ length: u32() }, u64);
    const type = u32();
    if (type !== 0) throw new Error(`tensor ${name} has type ${type}, not float32`);
    return { name, shape, relative: u64() };
  });
  const alignment = Number(metadata.get('general.alignment') ?? 32);
  const base = Math.ceil(at / alignment) * alignment;
  const tensors = new Map<string, OracleTensor>();
  for (const { name, shape, relative } of heads) {
    if (relative % alignment !== 0) throw new Error(`tensor ${name} is not aligned`);
    const offset = base + relative;
    const size = shape.reduce((a, b) => a * b, 1);
    const data = Float32Array.from({ length: size }, (_, i) => view.getFloat32(offset + i * 4, true));
    tensors.set(name, { name, shape, offset, data });
  }
  return { version, metadata, tensors };
}
