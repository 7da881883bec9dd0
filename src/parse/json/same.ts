/** Are two JSON values the same, in whatever order their keys stand and however their numbers are written? */
import type { JsonValue } from './types.ts';

/** The same text for values that are the same, and only for these. */
export function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: JsonValue) => (isObject(part) ? sorted(part) : part));
}

function sorted(object: { readonly [key: string]: JsonValue }): unknown {
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, object[key]]),
  );
}

export function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys in all objects of a value. */
export function countKeys(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + countKeys(part), 0);
  if (!isObject(value)) return 0;
  return Object.keys(value).reduce((sum, key) => sum + 1 + countKeys(value[key]!), 0);
}
