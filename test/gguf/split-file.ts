/**
 * Cuts a GGUF file of float32 tensors into several, as llama.cpp's own tool does: the first has all keys, every one
 * says which part of how many it is, and each tensor is whole in one of them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ALIGNMENT = 32;
/** Bytes of a value by its type's number; texts (8) and arrays (9) have lengths of their own. */
const FIXED = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8] as const;

interface Tensor {
  readonly name: Buffer;
  readonly dims: readonly number[];
  readonly data: Buffer;
}

interface Parsed {
  readonly keyCount: number;
  readonly keys: Buffer;
  readonly tensors: readonly Tensor[];
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const uint64 = (value: number) => Buffer.concat([uint32(value), uint32(0)]);
const text = (value: Buffer) => Buffer.concat([uint64(value.length), value]);
const padding = (length: number) => Buffer.alloc(-length & (ALIGNMENT - 1));

function parse(file: Buffer): Parsed {
  let at = 8;
  const skip = (size: number) => {
    at += size;
    return at - size;
  };
  const size64 = () => Number(file.readBigUInt64LE(skip(8)));
  const bytes = () => {
    const length = size64();
    return file.subarray(skip(length), at);
  };
  const skipValue = (type: number): void => {
    if (type === 8) bytes();
    else if (type !== 9) skip(FIXED[type]!);
    else {
      const item = file.readUInt32LE(skip(4));
      for (let left = size64(); left > 0; left -= 1) skipValue(item);
    }
  };
  const tensorCount = size64();
  const keyCount = size64();
  const keysAt = at;
  for (let index = 0; index < keyCount; index += 1) {
    bytes();
    skipValue(file.readUInt32LE(skip(4)));
  }
  const keys = file.subarray(keysAt, at);
  const heads = Array.from({ length: tensorCount }, () => {
    const name = bytes();
    const dims = Array.from({ length: file.readUInt32LE(skip(4)) }, size64);
    if (file.readUInt32LE(skip(4)) !== 0) throw new Error(`tensor ${name} is not float32`);
    return { name, dims, offset: size64() };
  });
  const dataAt = at + padding(at).length;
  const tensors = heads.map(({ name, dims, offset }) => {
    const length = 4 * dims.reduce((product, size) => product * size, 1);
    return { name, dims, data: file.subarray(dataAt + offset, dataAt + offset + length) };
  });
  return { keyCount, keys, tensors };
}

function key(name: string, type: 2 | 5, value: number): Buffer {
  const bytes = Buffer.alloc(type === 2 ? 2 : 4);
  if (type === 2) bytes.writeUInt16LE(value);
  else bytes.writeInt32LE(value);
  return Buffer.concat([text(Buffer.from(name)), uint32(type), bytes]);
}

function partBytes(keys: readonly Buffer[], keyCount: number, tensors: readonly Tensor[]): Buffer {
  let offset = 0;
  const heads = tensors.map(({ name, dims, data }) => {
    const place = offset;
    offset += data.length + padding(data.length).length;
    return Buffer.concat([text(name), uint32(dims.length), ...dims.map(uint64), uint32(0), uint64(place)]);
  });
  const start = Buffer.concat([Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(keyCount)]);
  const header = Buffer.concat([start, ...keys, ...heads]);
  const data = tensors.flatMap((tensor) => [tensor.data, padding(tensor.data.length)]);
  return Buffer.concat([header, padding(header.length), ...data]);
}

/** Writes the parts, with `sizes[i]` tensors in part i and the rest in the last; gives their paths. */
export function writeParts(file: Buffer, sizes: readonly number[], folder: string, name = 'parts'): string[] {
  const { keyCount, keys, tensors } = parse(file);
  let from = 0;
  return sizes.map((size, part) => {
    const to = part === sizes.length - 1 ? tensors.length : from + size;
    const own = [
      key('split.no', 2, part),
      key('split.count', 2, sizes.length),
      key('split.tensors.count', 5, tensors.length),
    ];
    const all = part === 0 ? [keys, ...own] : own;
    const bytes = partBytes(all, own.length + (part === 0 ? keyCount : 0), tensors.slice(from, to));
    from = to;
    const number = (value: number) => String(value).padStart(5, '0');
    const path = join(folder, `${name}-${number(part + 1)}-of-${number(sizes.length)}.gguf`);
    writeFileSync(path, bytes);
    return path;
  });
}
