/** A nested result as one row of a table: what JSON keeps as it is, CSV needs in columns. */
import type { Row } from './table.ts';

/** A JSON object. */
export type Nested = { readonly [key: string]: unknown };

/**
 * `{jsdTopK: {k, partial}}` -> `{jsdTopKK, jsdTopKPartial}`. A list of values becomes one cell of words, a list of objects
 * is numbered from 1: `{options: [{logProb}]}` -> `{options1LogProb}`.
 */
export function flatten(fields: Nested, prefix = ''): Row {
  const flat: Record<string, Row[string]> = {};
  for (const [key, value] of Object.entries(fields)) {
    const name = prefix === '' ? key : `${prefix}${key.charAt(0).toUpperCase()}${key.slice(1)}`;
    if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
      value.forEach((item, at) => {
        Object.assign(flat, flatten(item as Nested, `${name}${at + 1}`));
      });
    } else if (Array.isArray(value)) flat[name] = value.join(' ');
    else if (typeof value === 'object' && value !== null) Object.assign(flat, flatten(value as Nested, name));
    else flat[name] = value as Row[string];
  }
  return flat;
}
