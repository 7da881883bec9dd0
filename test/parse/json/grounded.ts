/** Is all that a value holds in a text? Looked for by patterns, without a parser. */
import type { JsonValue } from '../../../src/parse/index.ts';

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const ESCAPE = /\\(?:u([\da-fA-F]{4})|([\s\S]))/g;
const SPELT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The parts of `value` that are nowhere in `text`. */
export function madeUp(value: JsonValue, text: string): JsonValue[] {
  const numbers = new Set((text.match(NUMBER) ?? []).map(Number));
  const plain = [text, text.replaceAll('Ġ', ' ').replaceAll('Ċ', '\n')].map(unescaped);
  const there = (part: JsonValue): boolean => {
    if (typeof part === 'string') return plain.some((whole) => whole.includes(part));
    if (typeof part === 'number') return numbers.has(part);
    return { true: /true/i, false: /false/i, null: /null|None/ }[String(part) as 'true']!.test(text);
  };
  return partsOf(value).filter((part) => !there(part));
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_whole, code?: string, sign?: string) =>
    code === undefined ? (SPELT[sign!] ?? sign!) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Keys and scalars. */
function partsOf(value: JsonValue): JsonValue[] {
  if (typeof value !== 'object' || value === null) return [value];
  if (Array.isArray(value)) return value.flatMap(partsOf);
  return Object.entries(value as { readonly [key: string]: JsonValue }).flatMap(([key, part]) => [
    key,
    ...partsOf(part),
  ]);
}
