/** Numbers of 16 bits in float64: IEEE half precision, and bfloat16, the upper half of a float32. */

const EXPONENT_BITS = 0x1f;
const FRACTION_BITS = 0x3ff;

/** The half-precision number of these 16 bits, exactly. */
export function fromHalf(bits: number): number {
  const exponent = (bits >> 10) & EXPONENT_BITS;
  const fraction = bits & FRACTION_BITS;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === EXPONENT_BITS) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

let table: Float32Array | undefined;

/** The same of many. */
export function fromHalves(halves: Uint16Array): Float32Array {
  table ??= Float32Array.from({ length: 1 << 16 }, (_, half) => fromHalf(half));
  const numbers = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i += 1) numbers[i] = table[halves[i]!]!;
  return numbers;
}

/** The bits of the half-precision number nearest to a value of magnitude below 65504. */
export function toHalf(value: number): number {
  const size = Math.abs(value);
  const sign = value < 0 ? 0x8000 : 0;
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  // A fraction that rounds up to 1 carries into the exponent by itself.
  return sign | (((exponent + 15) << 10) + Math.round((size / 2 ** exponent - 1) * 1024));
}

const word = new DataView(new ArrayBuffer(4));

/** The bfloat16 number of these 16 bits. */
export function fromBrain(bits: number): number {
  word.setUint32(0, bits << 16);
  return word.getFloat32(0);
}

/** The bits of the bfloat16 number nearest to a value. */
export function toBrain(value: number): number {
  word.setFloat32(0, value);
  const bits = word.getUint32(0);
  return ((bits + 0x7fff + ((bits >> 16) & 1)) >>> 16) & 0xffff;
}
