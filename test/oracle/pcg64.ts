/** NumPy's `default_rng(seed).integers(0, limit)`: PCG64 seeded by a SeedSequence, drawn from by Lemire's method in 32 bits. */
const U32 = 0xffffffffn;
const U64 = 0xffffffffffffffffn;
const U128 = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

function seedWords(seed: number, count: number): number[] {
  let constant = 0x43b0d7e5;
  const hash = (given: number) => {
    let value = given ^ constant;
    constant = Math.imul(constant, 0x931e8875);
    value = Math.imul(value, constant);
    return (value ^ (value >>> 16)) >>> 0;
  };
  const pool = [hash(seed), hash(0), hash(0), hash(0)];
  for (let from = 0; from < 4; from += 1) {
    for (let to = 0; to < 4; to += 1) {
      if (from === to) continue;
      const mixed = (Math.imul(0xca01f9dd, pool[to]!) - Math.imul(0x4973f715, hash(pool[from]!))) >>> 0;
      pool[to] = (mixed ^ (mixed >>> 16)) >>> 0;
    }
  }
  let after = 0x8b51f9dd;
  return Array.from({ length: count }, (_, at) => {
    let value = pool[at % 4]! ^ after;
    after = Math.imul(after, 0x58f38ded);
    value = Math.imul(value, after);
    return (value ^ (value >>> 16)) >>> 0;
  });
}

/** `count` draws below `limit`, which is at most 2^32; `seed` is below 2^32. */
export function numpyIntegers(seed: number, limit: number, count: number): Uint32Array {
  const words = seedWords(seed, 8).map(BigInt);
  const long = (at: number) => (words[2 * at + 1]! << 32n) | words[2 * at]!;
  const increment = ((((long(2) << 64n) | long(3)) << 1n) | 1n) & U128;
  const step = (state: bigint) => (state * MULTIPLIER + increment) & U128;
  let state = step((step(0n) + ((long(0) << 64n) | long(1))) & U128);
  let waiting: number | null = null;
  const next = () => {
    if (waiting !== null) {
      const word = waiting;
      waiting = null;
      return word;
    }
    state = step(state);
    const folded = ((state >> 64n) ^ state) & U64;
    const turn = state >> 122n;
    const output = ((folded >> turn) | (folded << ((64n - turn) & 63n))) & U64;
    waiting = Number(output >> 32n);
    return Number(output & U32);
  };
  const threshold = (2 ** 32 - limit) % limit;
  return Uint32Array.from({ length: count }, () => {
    for (;;) {
      const scaled = next() * limit;
      if (scaled % 2 ** 32 >= threshold) return Math.floor(scaled / 2 ** 32);
    }
  });
}
