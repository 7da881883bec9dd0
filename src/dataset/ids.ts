/** Ids of rows, each of which may be there once: two rows of one id cannot be told apart in what a run writes. */
import { AuditError } from '../errors.ts';
import type { DatasetRow, RowPlace } from './row.ts';

/** The id of a row that could be read, or null where it has none. */
export type IdOf = (row: DatasetRow) => string | null;

/** Rows with the second and every later row of an id turned into an error. Memory grows with the number of ids. */
export async function* uniqueIds(
  rows: AsyncIterable<DatasetRow>,
  idOf: IdOf,
): AsyncGenerator<DatasetRow, void, undefined> {
  const ids = new SeenIds(idOf);
  for await (const row of rows) {
    const error = ids.add(row);
    yield error === null ? row : { ...row, value: undefined, error };
  }
}

/** The ids so far, and the rows that have them. */
export class SeenIds {
  readonly #places = new Map<string, RowPlace>();

  constructor(private readonly idOf: IdOf) {}

  /** `row_invalid` when an earlier row has the row's id. */
  add(row: DatasetRow): AuditError | null {
    if (row.error !== undefined) return null;
    const id = this.idOf(row);
    if (id === null) return null;
    const { file, line, index } = row;
    const earlier = this.#places.get(id);
    if (earlier === undefined) {
      this.#places.set(id, { file, line, index });
      return null;
    }
    const where = earlier.file === file ? `line ${earlier.line}` : `line ${earlier.line} of ${earlier.file}`;
    return new AuditError(
      'row_invalid',
      `${file}: row ${index + 1} (line ${line}, id ${JSON.stringify(id)}): row ${earlier.index + 1} (${where}) has ` +
        'the same id; give each row an id of its own',
      { file, line, index, id, key: 'id', earlier },
    );
  }
}
