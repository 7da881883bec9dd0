/** Random numbers that are the same on every machine: Marsaglia's xorshift of 32 bits. */
export class Random {
  #state: number;

  /** The seed: a whole number above 0. */
  constructor(seed: number) {
    this.#state = seed;
    for (let i = 0; i < 8; i++) this.#next();
  }

  #next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state;
  }

  /** In [0, 1). */
  uniform(): number {
    return this.#next() / 2 ** 32;
  }

  /** Of the standard normal distribution, by Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Fills with random bytes. */
  fill(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.#next() >>> 24;
  }
}
