/** A nested result as one row of a table: what JSON keeps as it is, CSV needs in columns. */
import type { Row } from './table.ts';

/** A JSON object. */
export type Nested = { readonly [key: string]: unknown };

/**
 * `{jsdTopK: {k, partial}}` -> `{jsdTopKK, jsdTopKPartial}`. A list of values becomes one cell of words; a list with objects
 * or lists in it is numbered from 1: `{options: [{logProb}]}` -> `{options1LogProb}`.
 */
export function flatten(fields: Nested): Row {
  return Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => cellsOf(key, value)));
}

type Cell = [name: string, value: Row[string]];

function cellsOf(name: string, value: unknown): Cell[] {
  if (Array.isArray(value)) {
    const nested = value.some((item) => typeof item === 'object' && item !== null);
    if (!nested) return [[name, value.join(' ')]];
    return value.flatMap((item, at) => cellsOf(`${name}${at + 1}`, item));
  }
  if (typeof value !== 'object' || value === null) return [[name, value as Row[string]]];
  return Object.entries(value).flatMap(([key, inner]) => cellsOf(name + capitalised(key), inner));
}

function capitalised(key: string): string {
  return `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}
