/**
 * Results as JSON files: keys in the order given, two spaces, a line feed at the end, so that equal results are equal
 * bytes. What JSON cannot say is an error here: it would turn NaN into null and a typed array into an object.
 */

import { AuditError } from '../errors.ts';
import { writeAtomic } from '../files/atomic.ts';

/**
 * `value` as text of a JSON file. Typed arrays become arrays, keys with undefined are left out. Errors: `not_finite`
 * for NaN and infinities, `bad_argument` for what has no JSON form, both naming the key.
 */
export function formatJson(value: unknown): string {
  const paths = new WeakMap<object, string>();
  const replace = function (this: unknown, key: string, given: unknown): unknown {
    const path = pathOf(paths, this, key);
    if (typeof given === 'number' && !Number.isFinite(given)) {
      throw new AuditError('not_finite', `${path} is ${given}; a value that could not be had is null`, {
        key: path,
      });
    }
    if (typeof given === 'bigint' || typeof given === 'function' || typeof given === 'symbol') {
      throw new AuditError('bad_argument', `${path} is a ${typeof given}, which JSON cannot hold`, {
        key: path,
      });
    }
    if (given instanceof Map || given instanceof Set) {
      const message = `${path} is a ${given.constructor.name}, which JSON cannot hold; give an object or an array`;
      throw new AuditError('bad_argument', message, { key: path });
    }
    const plain = isTypedArray(given) ? Array.from<number | bigint>(given) : given;
    if (typeof plain === 'object' && plain !== null) paths.set(plain, path);
    return plain;
  };
  let text: string | undefined;
  try {
    text = JSON.stringify(value, replace, 2);
  } catch (cause) {
    if (cause instanceof AuditError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AuditError('bad_argument', `cannot be written as JSON: ${why}`, {}, { cause });
  }
  if (text === undefined) throw new AuditError('bad_argument', 'there is no value to write as JSON');
  return `${text}\n`;
}

/** Writes `value` to `path`; the file appears when it is whole. Errors: of {@link formatJson} and of `writeAtomic`. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeAtomic(path, [formatJson(value)]);
}

function pathOf(paths: WeakMap<object, string>, holder: unknown, key: string): string {
  const parent = typeof holder === 'object' && holder !== null ? paths.get(holder) : undefined;
  if (parent === undefined) return 'value';
  return Array.isArray(holder) ? `${parent}[${key}]` : `${parent}.${key}`;
}

function isTypedArray(value: unknown): value is ArrayLike<number | bigint> {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}
