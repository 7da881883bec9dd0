/** IEEE half precision, as a matrix of similarities is kept, read back. (Rounding to it is the metrics addon's.) */

const EXPONENT_BITS = 0x1f;
const FRACTION_BITS = 0x3ff;

function numberOf(half: number): number {
  const exponent = (half >> 10) & EXPONENT_BITS;
  const fraction = half & FRACTION_BITS;
  const sign = half & 0x8000 ? -1 : 1;
  if (exponent === EXPONENT_BITS) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

let table: Float32Array | undefined;

/** The numbers that half bits stand for, each of them exact. */
export function fromHalves(halves: Uint16Array): Float32Array {
  table ??= Float32Array.from({ length: 1 << 16 }, (_, half) => numberOf(half));
  const numbers = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i += 1) numbers[i] = table[halves[i]!]!;
  return numbers;
}
