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

/** What a value becomes several cells of, by their names; null where it is one cell. */
function innerOf(name: string, value: unknown): [name: string, value: unknown][] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) {
    return Object.entries(value).map(([key, inner]) => [name + capitalised(key), inner]);
  }
  const nested = value.some((item) => typeof item === 'object' && item !== null);
  return nested ? value.map((item, at) => [`${name}${at + 1}`, item]) : null;
}

function cellsOf(name: string, value: unknown): Cell[] {
  const inner = innerOf(name, value);
  if (inner) return inner.flatMap(([own, item]) => cellsOf(own, item));
  return [[name, Array.isArray(value) ? value.join(' ') : (value as Row[string])]];
}

function capitalised(key: string): string {
  return `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}

/** Of a field over all results: it may be one cell in some of them, several in others, and none in the rest. */
interface Field {
  readonly name: string;
  readonly inner: FlatColumns;
  isCell: boolean;
  hasValue: boolean;
}

/**
 * The columns of a table of results that {@link flatten} makes: every cell that any of them has, whichever comes first, in the
 * order of their fields. A field that is null in some and nested in others has the columns of what is nested in it.
 */
export class FlatColumns {
  readonly #fields: Field[] = [];

  add(fields: Nested): void {
    this.#add(Object.entries(fields));
  }

  names(): string[] {
    return [...new Set(this.#fields.flatMap(namesOf))];
  }

  #add(entries: readonly (readonly [name: string, value: unknown])[]): void {
    let at = -1;
    for (const [name, value] of entries) {
      at = this.#placeOf(name, at);
      const field = this.#fields[at]!;
      const inner = innerOf(name, value);
      if (inner) field.inner.#add(inner);
      else field.isCell = true;
      field.hasValue ||= !inner && value !== null && !(Array.isArray(value) && value.length === 0);
    }
  }

  /** Where the field is; one that is new stands behind that which is before it in its own result. */
  #placeOf(name: string, before: number): number {
    if (this.#fields[before + 1]?.name === name) return before + 1;
    const known = this.#fields.findIndex((field) => field.name === name);
    if (known !== -1) return known;
    this.#fields.splice(before + 1, 0, { name, inner: new FlatColumns(), isCell: false, hasValue: false });
    return before + 1;
  }
}

function namesOf({ name, inner, isCell, hasValue }: Field): string[] {
  const names = inner.names();
  return hasValue || (isCell && names.length === 0) ? [name, ...names] : names;
}
