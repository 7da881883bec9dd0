/**
 * Elements of any float type to float32, a block at a time. float16 and bfloat16 have an exact float32 each. float64 is
 * rounded to the nearest float32: what is measured is the distribution of the rounded logits, whose relative error is
 * 6e-8; a finite float64 that float32 cannot hold is an error, not an infinity.
 */
import { endianness } from 'node:os';
import type { ElementType, FloatType } from './dtype.ts';

const HOST_BIG_ENDIAN = endianness() === 'BE';

/** No element was beyond float32. */
export const ALL_REPRESENTABLE = -1;

/** Must the bytes of elements in this order be swapped on this machine? */
export function needsSwap(bigEndian: boolean): boolean {
  return bigEndian !== HOST_BIG_ENDIAN;
}

/** Swaps the bytes of each element of `size` bytes, in place. */
export function swapBytes(bytes: Uint8Array, size: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 2) buffer.swap16();
  else if (size === 4) buffer.swap32();
  else if (size === 8) buffer.swap64();
}

/**
 * Decodes `out.length` elements out of `raw`, which must lie on a multiple of the element's size and is changed where
 * its byte order is not this machine's. For float32 `raw` may be the memory of `out`. Returns the index of the first
 * element beyond float32, or {@link ALL_REPRESENTABLE}.
 */
export function decodeFloats(
  { type, bigEndian }: ElementType<FloatType>,
  raw: Uint8Array,
  out: Float32Array,
): number {
  const count = out.length;
  const { buffer, byteOffset } = raw;
  if (needsSwap(bigEndian)) swapBytes(raw, raw.byteLength / Math.max(count, 1));
  switch (type) {
    case 'float32':
      if (buffer !== out.buffer) out.set(new Float32Array(buffer, byteOffset, count));
      return ALL_REPRESENTABLE;
    case 'float64':
      return roundDoubles(new Float64Array(buffer, byteOffset, count), out);
    case 'bfloat16':
      widenBfloats(new Uint16Array(buffer, byteOffset, count), bitsOf(out));
      return ALL_REPRESENTABLE;
    case 'float16':
      widenHalves(new Uint16Array(buffer, byteOffset, count), bitsOf(out));
      return ALL_REPRESENTABLE;
  }
}

function bitsOf(out: Float32Array): Uint32Array {
  return new Uint32Array(out.buffer, out.byteOffset, out.length);
}

/** A bfloat16 is the upper half of a float32. */
function widenBfloats(from: Uint16Array, to: Uint32Array): void {
  for (let i = 0; i < to.length; i += 1) to[i] = from[i]! << 16;
}

function widenHalves(from: Uint16Array, to: Uint32Array): void {
  halves ??= halfTable();
  const table = halves;
  for (let i = 0; i < to.length; i += 1) to[i] = table[from[i]!]!;
}

function roundDoubles(from: Float64Array, to: Float32Array): number {
  to.set(from);
  for (let i = 0; i < to.length; i += 1) {
    const rounded = to[i]!;
    // Infinities are few; only at one is it asked whether it was one before.
    if (Math.abs(rounded) === Number.POSITIVE_INFINITY && rounded !== from[i]) return i;
  }
  return ALL_REPRESENTABLE;
}

let halves: Uint32Array | undefined;

/** The float32 bits of each float16: a table of 256 KiB, made on first use. */
function halfTable(): Uint32Array {
  return Uint32Array.from({ length: 65_536 }, (_, half) => halfBits(half));
}

function halfBits(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return sign | 0x7f800000 | (fraction << 13);
  // The exponents' biases are 15 and 127.
  if (exponent !== 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction === 0) return sign;
  // A half below the normal ones is fraction * 2^-24; as float32 it is normal, its highest bit the hidden one.
  const highest = 31 - Math.clz32(fraction);
  return sign | ((highest + 103) << 23) | ((fraction << (23 - highest)) & 0x7fffff);
}
