/**
 * The weight types that people use, as GGUF stores them: how long a block is, and what number each of its weights is, in
 * float64. Written from the formats' definitions (the block structures of ggml-common.h) and sharing no code with
 * ggml, whose products are what is tested. A tensor is made of random blocks, so nothing has to be quantised.
 */
import { fromBrain, fromHalf, toBrain, toHalf } from '../files/half.ts';
import type { Random } from './random.ts';

/** How a product rounds the activations beside weights of a type: to 8 bits over blocks of so many, or as stated. */
export type ActivationRounding = 'none' | 'half' | 'brain' | 32 | 256;

export interface WeightType {
  readonly name: string;
  /** Its number in GGUF files. */
  readonly type: number;
  /** Weights a block. */
  readonly weights: number;
  /** Bytes a block. */
  readonly bytes: number;
  readonly activations: ActivationRounding;
  /** Fills one block with random codes, of weights whose standard deviation is about `spread`, and mean about 0. */
  fill(block: DataView, spread: number, random: Random): void;
  /** The block's weights, in order. */
  read(block: DataView, out: Float64Array): void;
}

/** What the short form tries: one type of each kind of kernel. */
export const SHORT_FORM: readonly string[] = ['F32', 'F16', 'Q8_0', 'Q4_0', 'Q4_1', 'Q4_K', 'Q6_K'];

const bytesOf = (block: DataView, from: number, count: number) =>
  new Uint8Array(block.buffer, block.byteOffset + from, count);
const half = (block: DataView, at: number) => fromHalf(block.getUint16(at, true));
const setHalf = (block: DataView, at: number, value: number) => block.setUint16(at, toHalf(value), true);

/** A type without blocks: each weight for itself. */
function plain(
  name: string,
  type: number,
  bytes: number,
  activations: ActivationRounding,
  write: (block: DataView, value: number) => void,
  read: (block: DataView) => number,
): WeightType {
  return {
    ...{ name, type, weights: 1, bytes, activations },
    fill: (block, spread, random) => write(block, spread * random.normal()),
    read: (block, out) => {
      out[0] = read(block);
    },
  };
}

/** A type of blocks with random codes; `scale` sets its scales, for codes of standard deviation `deviation`. */
function blocks(
  name: string,
  [type, weights, bytes]: readonly [number, number, 32 | 256 | number],
  deviation: number,
  scale: (block: DataView, d: number) => void,
  read: (block: DataView, out: Float64Array) => void,
): WeightType {
  return {
    ...{ name, type, weights, bytes, activations: weights === 256 ? 256 : 32, read },
    fill: (block, spread, random) => {
      random.fill(bytesOf(block, 0, bytes));
      // Scales that differ tell a block that was given its neighbour's.
      scale(block, (spread / deviation) * (0.75 + 0.5 * random.uniform()));
    },
  };
}

/** Codes of 4 bits in `count` bytes: the lower halves come first, then the upper ones. */
function nibbles(codes: Uint8Array, each: (code: number, at: number) => void): void {
  for (const [j, byte] of codes.entries()) {
    each(byte & 15, j);
    each(byte >> 4, j + codes.length);
  }
}

/** The fifth bits of 32 codes. */
const fifth = (block: DataView, at: number, j: number) => ((block.getUint32(at, true) >>> j) & 1) << 4;

/** The values of IQ4's 16 codes. */
const IQ4 = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113] as const;
/** Twice the values of the 16 numbers of 4 bits: sign, two bits of exponent, one of fraction. */
const FP4 = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12] as const;

/** Scale and minimum of sub-block j of eight, 6 bits each, packed into 12 bytes: Q4_K and Q5_K. */
function packedScale(scales: Uint8Array, j: number): readonly [scale: number, minimum: number] {
  if (j < 4) return [scales[j]! & 63, scales[j + 4]! & 63];
  const low = scales[j + 4]!;
  return [(low & 15) | ((scales[j - 4]! >> 6) << 4), (low >> 4) | ((scales[j]! >> 6) << 4)];
}

/** Scale of sub-block j of sixteen, 6 bits around 32, packed into 12 bytes: Q3_K. */
function packedScale16(scales: Uint8Array, j: number): number {
  const low = j < 8 ? scales[j]! & 15 : scales[j - 8]! >> 4;
  const high = (scales[8 + (j % 4)]! >> (2 * Math.floor(j / 4))) & 3;
  return (low | (high << 4)) - 32;
}

/** Q4_K, and Q5_K where `highAt` says where the fifth bits lie. */
function readK45(block: DataView, out: Float64Array, codesAt: number, highAt: number | null): void {
  const [d, dmin] = [half(block, 0), half(block, 2)];
  const scales = bytesOf(block, 4, 12);
  for (let j = 0; j < 8; j++) {
    const [scale, minimum] = packedScale(scales, j);
    for (let l = 0; l < 32; l++) {
      const byte = block.getUint8(codesAt + 32 * (j >> 1) + l);
      const high = highAt === null ? 0 : ((block.getUint8(highAt + l) >> j) & 1) << 4;
      const code = (j % 2 === 0 ? byte & 15 : byte >> 4) | high;
      out[32 * j + l] = d * scale * code - dmin * minimum;
    }
  }
}

/** Scales of a block with two of them: the factor, and the offset that brings the codes' mean to 0. */
const factorAndOffset = (at: number, mean: number) => (block: DataView, d: number) => {
  setHalf(block, at, d);
  setHalf(block, at + 2, d * mean);
};
const factor = (at: number) => (block: DataView, d: number) => setHalf(block, at, d);

export const WEIGHT_TYPES: readonly WeightType[] = [
  plain(
    ...(['F32', 0, 4, 'none'] as const),
    (block, value) => block.setFloat32(0, value, true),
    (block) => block.getFloat32(0, true),
  ),
  plain(
    ...(['F16', 1, 2, 'half'] as const),
    (block, value) => setHalf(block, 0, value),
    (block) => half(block, 0),
  ),
  plain(
    ...(['BF16', 30, 2, 'brain'] as const),
    (block, value) => block.setUint16(0, toBrain(value), true),
    (block) => fromBrain(block.getUint16(0, true)),
  ),
  blocks('Q8_0', [8, 32, 34], 73.9, factor(0), (block, out) => {
    for (let j = 0; j < 32; j++) out[j] = half(block, 0) * block.getInt8(2 + j);
  }),
  blocks('Q4_0', [2, 32, 18], 4.6, factor(0), (block, out) => {
    nibbles(bytesOf(block, 2, 16), (code, j) => {
      out[j] = half(block, 0) * (code - 8);
    });
  }),
  blocks('Q4_1', [3, 32, 20], 4.6, factorAndOffset(0, -7.5), (block, out) => {
    nibbles(bytesOf(block, 4, 16), (code, j) => {
      out[j] = half(block, 0) * code + half(block, 2);
    });
  }),
  blocks('Q5_0', [6, 32, 22], 9.2, factor(0), (block, out) => {
    nibbles(bytesOf(block, 6, 16), (code, j) => {
      out[j] = half(block, 0) * ((code | fifth(block, 2, j)) - 16);
    });
  }),
  blocks('Q5_1', [7, 32, 24], 9.2, factorAndOffset(0, -15.5), (block, out) => {
    nibbles(bytesOf(block, 8, 16), (code, j) => {
      out[j] = half(block, 0) * (code | fifth(block, 4, j)) + half(block, 2);
    });
  }),
  blocks('IQ4_NL', [20, 32, 18], 70, factor(0), (block, out) => {
    nibbles(bytesOf(block, 2, 16), (code, j) => {
      out[j] = half(block, 0) * IQ4[code]!;
    });
  }),
  blocks(
    'MXFP4',
    [39, 32, 17],
    5.5,
    // One byte of exponent, with the half that FP4's values are doubled by.
    (block, d) => block.setUint8(0, Math.round(Math.log2(d)) + 128),
    (block, out) => {
      nibbles(bytesOf(block, 1, 16), (code, j) => {
        out[j] = 2 ** (block.getUint8(0) - 128) * FP4[code]!;
      });
    },
  ),
  blocks('Q2_K', [10, 256, 84], 13.5, factorAndOffset(80, 1.5), (block, out) => {
    const [d, dmin] = [half(block, 80), half(block, 82)];
    for (let j = 0; j < 256; j++) {
      const scale = block.getUint8(j >> 4);
      const code = (block.getUint8(16 + 32 * (j >> 7) + (j & 31)) >> (2 * ((j >> 5) & 3))) & 3;
      out[j] = d * (scale & 15) * code - dmin * (scale >> 4);
    }
  }),
  blocks('Q3_K', [11, 256, 110], 43, factor(108), (block, out) => {
    const scales = bytesOf(block, 96, 12);
    for (let j = 0; j < 256; j++) {
      const low = (block.getUint8(32 + 32 * (j >> 7) + (j & 31)) >> (2 * ((j >> 5) & 3))) & 3;
      const high = (block.getUint8(j & 31) >> (j >> 5)) & 1;
      out[j] = half(block, 108) * packedScale16(scales, j >> 4) * (low - (high ? 0 : 4));
    }
  }),
  blocks('Q4_K', [12, 256, 144], 250, factorAndOffset(0, 7.5), (block, out) => readK45(block, out, 16, null)),
  blocks('Q5_K', [13, 256, 176], 500, factorAndOffset(0, 15.5), (block, out) => readK45(block, out, 48, 16)),
  blocks('Q6_K', [14, 256, 210], 1365, factor(208), (block, out) => {
    for (let j = 0; j < 256; j++) {
      const [part, quarter, l] = [j >> 7, (j >> 5) & 3, j & 31];
      const byte = block.getUint8(64 * part + 32 * (quarter & 1) + l);
      const low = quarter < 2 ? byte & 15 : byte >> 4;
      const high = (block.getUint8(128 + 32 * part + l) >> (2 * quarter)) & 3;
      out[j] = half(block, 208) * block.getInt8(192 + (j >> 4)) * ((low | (high << 4)) - 32);
    }
  }),
  blocks('IQ4_XS', [23, 256, 136], 1293, factor(0), (block, out) => {
    for (let j = 0; j < 8; j++) {
      const low = (block.getUint8(4 + (j >> 1)) >> (4 * (j & 1))) & 15;
      const scale = half(block, 0) * ((low | (((block.getUint16(2, true) >> (2 * j)) & 3) << 4)) - 32);
      nibbles(bytesOf(block, 8 + 16 * j, 16), (code, l) => {
        out[32 * j + l] = scale * IQ4[code]!;
      });
    }
  }),
];
