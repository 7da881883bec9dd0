/** The participants' file: what each said, as scores and bands of the scale, and everything else of their rows. */
import { openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { bandOf, type Scale, subscaleScore } from '../data/index.ts';
import { normaliseId } from './case-id.ts';
import { type Cells, requireColumns } from './cells.ts';
import type { Side } from './sides.ts';

export interface Participant {
  readonly id: string;
  /** By side; null where an item is missing or no label of the scale. */
  readonly scores: readonly (number | null)[];
  readonly bands: readonly (string | null)[];
  /** The row as it stands. */
  readonly cells: Cells;
}

export interface ParticipantOptions {
  /** Column of the ids; `participant_id` unless said. */
  readonly idColumn?: string | undefined;
  /** What a cell says; itself unless said. */
  readonly cell?: (text: string) => string;
}

export interface Participants {
  readonly file: string;
  /** A row each, in the order of the file; of an id that is there several times, the first row counts. */
  readonly rows: readonly Participant[];
  readonly byId: ReadonlyMap<string, Participant>;
  /** All columns of the file. */
  readonly columns: readonly string[];
  /** Columns that are neither the id nor an item of the scale. */
  readonly about: readonly string[];
  /** Ids that several rows have. */
  readonly repeated: readonly string[];
  /** Rows that could not be used, because they have no id or cannot be read, and the first faults. */
  readonly unusable: number;
  readonly faults: readonly string[];
}

const SHOWN_FAULTS = 3;

/**
 * Reads the participants. Errors: those of `openDataset`; `data_malformed` for a file without the column of ids or an item of
 * one of the sides, `data_empty` for one without participants.
 */
export async function readParticipants(
  file: string,
  scale: Scale,
  sides: readonly Side[],
  { idColumn = 'participant_id', cell = (text) => text }: ParticipantOptions = {},
): Promise<Participants> {
  const rows: Participant[] = [];
  const byId = new Map<string, Participant>();
  const repeated = new Set<string>();
  const faults: string[] = [];
  let columns: readonly string[] | null = null;
  for await (const { value, error, line } of openDataset(file).rows()) {
    const cells = error === undefined ? cellsOf(value, cell) : null;
    if (cells !== null && columns === null) {
      columns = Object.keys(cells);
      checkColumns(columns, idColumn, sides, file);
    }
    const id = normaliseId(cells?.[idColumn] ?? '');
    if (cells === null || id === '') {
      faults.push(error?.message ?? `${file}: line ${line} has no ${idColumn}`);
      continue;
    }
    const participant = scored(id, cells, scale, sides);
    rows.push(participant);
    if (byId.has(id)) repeated.add(id);
    else byId.set(id, participant);
  }
  if (rows.length === 0 || columns === null) {
    const why = faults[0] === undefined ? 'it has no rows' : faults[0];
    throw new AuditError('data_empty', `${file} holds no participants: ${why}`, { file });
  }
  const items = new Set(Object.keys(scale.items));
  return {
    file,
    rows,
    byId,
    columns,
    about: columns.filter((column) => column !== idColumn && !items.has(column)),
    repeated: [...repeated],
    unusable: faults.length,
    faults: faults.slice(0, SHOWN_FAULTS),
  };
}

function scored(id: string, cells: Cells, scale: Scale, sides: readonly Side[]): Participant {
  const scores = sides.map(({ subscale }) => subscaleScore(scale, subscale, cells));
  const bands = sides.map(({ subscale }, side) => bandOf(subscale, scores[side]!));
  return { id, scores, bands, cells };
}

function checkColumns(
  columns: readonly string[],
  idColumn: string,
  sides: readonly Side[],
  file: string,
): void {
  requireColumns(columns, [idColumn], file, `it has ${columns.join(', ')}; name the column of ids`);
  const items = sides.flatMap(({ subscale }) => subscale.items);
  requireColumns(
    columns,
    items,
    file,
    "a participant's answer to an item of the scale is a column of its name",
  );
}

function cellsOf(value: unknown, cell: (text: string) => string): Cells {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([column, given]) => [column, cell(asText(given))]));
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string'
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}
