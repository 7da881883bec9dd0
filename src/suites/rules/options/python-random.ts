/**
 * Python's `random.Random(seed)` for whole numbers as seeds: the Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), and
 * the ways in which Python draws from it, so that what a program in Python has shuffled can be shuffled again.
 */
import { AuditError } from '../../../errors.ts';
import type { RandomOrder } from '../retrieval/store/index.ts';
import { drawSeed } from './seed.ts';

const SIZE = 624;
const MIDDLE = 397;
const TWIST = 0x9908b0df;
const UPPER = 0x80000000;
const LOWER = 0x7fffffff;

/** The absolute value in pieces of 32 bits, the least first. */
function words(seed: bigint): number[] {
  const pieces: number[] = [];
  for (let rest = seed < 0n ? -seed : seed; rest > 0n; rest >>= 32n) pieces.push(Number(rest & 0xffffffffn));
  return pieces.length === 0 ? [0] : pieces;
}

export class PythonRandom {
  readonly #state = new Uint32Array(SIZE);
  #at = SIZE;

  /** Of a negative seed the sign is ignored, as Python does. */
  constructor(seed: bigint) {
    const key = words(seed);
    const state = this.#state;
    this.#fill(19650218);
    let i = 1;
    let j = 0;
    for (let left = Math.max(SIZE, key.length); left > 0; left -= 1) {
      state[i] = (state[i]! ^ Math.imul(this.#mixed(i), 1664525)) + key[j]! + j;
      i += 1;
      j = (j + 1) % key.length;
      if (i === SIZE) i = this.#wrap();
    }
    for (let left = SIZE - 1; left > 0; left -= 1) {
      state[i] = (state[i]! ^ Math.imul(this.#mixed(i), 1566083941)) - i;
      i += 1;
      if (i === SIZE) i = this.#wrap();
    }
    state[0] = UPPER;
  }

  #fill(seed: number): void {
    const state = this.#state;
    state[0] = seed;
    for (let i = 1; i < SIZE; i += 1) state[i] = Math.imul(this.#mixed(i), 1812433253) + i;
  }

  #mixed(i: number): number {
    const before = this.#state[i - 1]!;
    return before ^ (before >>> 30);
  }

  #wrap(): number {
    this.#state[0] = this.#state[SIZE - 1]!;
    return 1;
  }

  /** 32 bits. */
  #next(): number {
    if (this.#at === SIZE) this.#twist();
    let y = this.#state[this.#at]!;
    this.#at += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  #twist(): void {
    const state = this.#state;
    for (let i = 0; i < SIZE; i += 1) {
      const y = (state[i]! & UPPER) | (state[(i + 1) % SIZE]! & LOWER);
      state[i] = state[(i + MIDDLE) % SIZE]! ^ (y >>> 1) ^ (y & 1 ? TWIST : 0);
    }
    this.#at = 0;
  }

  /** A whole number from 0, below `limit`, which is from 1 to 2^32 - 1. Throws `bad_argument`. */
  below(limit: number): number {
    if (!Number.isInteger(limit) || limit < 1 || limit > 0xffffffff) {
      throw new AuditError('bad_argument', `limit is ${limit}; give a whole number from 1 to 2^32 - 1`);
    }
    const bits = 32 - Math.clz32(limit);
    for (;;) {
      const drawn = this.#next() >>> (32 - bits);
      if (drawn < limit) return drawn;
    }
  }

  /** A copy in another order. */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let i = shuffled.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
    }
    return shuffled;
  }
}

/** Python's shuffle of the pool, in the order of the data, by the seed of the target's options. */
export const pythonOrder: RandomOrder = ({ key, type }, pool) =>
  new PythonRandom(drawSeed(idOf(key), type)).shuffle(pool);

/** Of SPLIT:ID:TYPE the ID, which may hold colons. */
function idOf(key: string): string {
  return key.slice(key.indexOf(':') + 1, key.lastIndexOf(':'));
}
