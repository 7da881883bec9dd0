import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_REPRESENTABLE, decodeFloats } from '../../src/npy/decode.ts';
import type { FloatType } from '../../src/npy/dtype.ts';
import { float32, float64, uint16 } from './write.ts';

/** The bytes in memory of their own, as the reader has them. */
function decode(type: FloatType, bytes: Buffer, count: number, bigEndian = false): Float32Array {
  const out = new Float32Array(count);
  expect(decodeFloats({ type, bigEndian }, Uint8Array.from(bytes), out)).toBe(ALL_REPRESENTABLE);
  return out;
}

/** A small binary float by the definition of its fields, in float64. */
function slow(bits: number, exponentBits: number, fractionBits: number): number {
  const bias = 2 ** (exponentBits - 1) - 1;
  const sign = bits >= 0x8000 ? -1 : 1;
  const exponent = Math.floor(bits / 2 ** fractionBits) % 2 ** exponentBits;
  const fraction = (bits % 2 ** fractionBits) / 2 ** fractionBits;
  if (exponent === 2 ** exponentBits - 1) {
    return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  }
  return exponent === 0 ? sign * fraction * 2 ** (1 - bias) : sign * (1 + fraction) * 2 ** (exponent - bias);
}

const ALL = Array.from({ length: 65_536 }, (_, bits) => bits);

describe('16-bit floats', () => {
  it.each([
    ['float16', 5, 10],
    ['bfloat16', 8, 7],
  ] as const)(
    '%s is exact in all 65,536 values and either byte order',
    (type, exponentBits, fractionBits) => {
      for (const bigEndian of [false, true]) {
        const values = decode(type, uint16(ALL, !bigEndian), ALL.length, bigEndian);
        const wrong = ALL.filter((bits) => !Object.is(values[bits], slow(bits, exponentBits, fractionBits)));
        expect(wrong).toEqual([]);
      }
    },
  );
});

describe('wider floats', () => {
  const float = fc.float();
  it('float32 keeps its bits in either byte order', () => {
    fc.assert(
      fc.property(fc.array(float), fc.boolean(), (values, bigEndian) => {
        const out = decode('float32', float32(values, !bigEndian), values.length, bigEndian);
        expect([...out]).toEqual(values);
      }),
    );
  });

  it('float64 is rounded to the nearest float32', () => {
    const double = fc.double({ min: -3.4e38, max: 3.4e38 });
    fc.assert(
      fc.property(fc.array(double), fc.boolean(), (values, bigEndian) => {
        const out = decode('float64', float64(values, !bigEndian), values.length, bigEndian);
        expect([...out]).toEqual(values.map(Math.fround));
      }),
    );
    const special = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN, -0, 5e-324];
    expect([...decode('float64', float64(special), 5)]).toEqual(special.map(Math.fround));
  });

  it('float64 beyond float32 is told by its place', () => {
    const largest = 3.4028234663852886e38;
    const halfway = 3.4028235677973366e38;
    for (const [value, at] of [
      [largest, ALL_REPRESENTABLE],
      [halfway, 2],
      [-halfway, 2],
      [-Number.MAX_VALUE, 2],
    ] as const) {
      const raw = Uint8Array.from(float64([0, Number.NEGATIVE_INFINITY, value, 1]));
      expect(decodeFloats({ type: 'float64', bigEndian: false }, raw, new Float32Array(4))).toBe(at);
    }
  });
});
