/** The participants of a scale's run: rows of a table, each known by its id. */
import { openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { type HashedFile, hashFiles } from '../../../run/hash.ts';

export interface Participant {
  readonly id: string;
  /** By the columns of the file. */
  readonly cells: Readonly<Record<string, unknown>>;
}

export interface Participants {
  readonly file: HashedFile;
  readonly columns: readonly string[];
  /** In the order of the file, each id once. */
  readonly participants: readonly Participant[];
  /** Ids of rows that were passed over, since an earlier row has the id. */
  readonly repeated: readonly string[];
}

/**
 * Reads a table of participants. Of rows with one id the first counts. Errors: `bad_argument` for a table without the
 * column, `row_invalid` for a row without an id, `data_empty`, and those of reading a data file.
 */
export async function readParticipants(path: string, idColumn: string): Promise<Participants> {
  const byId = new Map<string, Participant>();
  const repeated: string[] = [];
  let columns: readonly string[] | null = null;
  for await (const { value, error, index, line } of openDataset(path).rows()) {
    if (error !== undefined) throw error;
    const cells = value as Readonly<Record<string, unknown>>;
    columns ??= checkColumns(path, Object.keys(cells), idColumn);
    const id = String(cells[idColumn] ?? '').trim();
    if (id === '') {
      const message = `${path}: row ${index + 1} (line ${line}) has no ${idColumn}; give every participant an id`;
      throw new AuditError('row_invalid', message, { file: path, line, index, column: idColumn });
    }
    if (byId.has(id)) repeated.push(id);
    else byId.set(id, { id, cells });
  }
  if (columns === null) {
    throw new AuditError('data_empty', `${path} has no participants; give a table with a row for each`, {
      file: path,
    });
  }
  const { files } = await hashFiles([path]);
  return { file: files[0]!, columns, participants: [...byId.values()], repeated };
}

function checkColumns(path: string, columns: readonly string[], idColumn: string): readonly string[] {
  if (columns.includes(idColumn)) return columns;
  const message = `${path} has no column ${idColumn}; its columns are ${columns.join(', ')}: give the one with the ids of participants`;
  throw new AuditError('bad_argument', message, { file: path, column: idColumn });
}
