/** The order in which the original draws examples at random. */

import { PythonRandom } from '../options/python-random.ts';
import { drawSeed } from '../options/seed.ts';
import type { RandomOrder } from './store/index.ts';

/** Python's shuffle of the pool, in the order of the data, by the seed of the target's options. */
export const pythonOrder: RandomOrder = ({ key, type }, pool) =>
  new PythonRandom(drawSeed(idOf(key), type)).shuffle(pool);

/** Of SPLIT:ID:TYPE the ID, which may hold colons. */
function idOf(key: string): string {
  return key.slice(key.indexOf(':') + 1, key.lastIndexOf(':'));
}
