/** The image files of rows on this machine: found by the path that the data have, and known again by their hash. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { hashFiles } from '../../../run/hash.ts';

export class Images {
  readonly #root: string;
  readonly #hashes = new Map<string, Promise<string>>();

  /** `root` is what paths of the data start from. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The path as it is, or of a path with `*` the first file in order of name that it may mean; null where there is none. */
  #find(image: string): string | null {
    const whole = path.resolve(this.#root, image);
    if (!image.includes('*')) return existsSync(whole) ? whole : null;
    const folder = path.dirname(whole);
    const [start = '', end = ''] = path.basename(whole).split('*');
    if (!existsSync(folder)) return null;
    const found = readdirSync(folder)
      .sort()
      .find((name) => name.startsWith(start) && name.endsWith(end));
    return found === undefined ? null : path.join(folder, found);
  }

  /** SHA-256 of the image in hexadecimal; null where the file is not there. */
  async sha256(image: string): Promise<string | null> {
    const file = this.#find(image);
    if (file === null) return null;
    const known = this.#hashes.get(file) ?? hashFiles([file]).then(({ sha256 }) => sha256);
    this.#hashes.set(file, known);
    return known;
  }
}
