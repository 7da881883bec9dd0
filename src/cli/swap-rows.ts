/** The rows of a data file and their counterfactuals: which come out, which do not and why, and how many of each. */
import { type Dataset, type DatasetRow, uniqueIds } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';
import {
  checkRoundTrip,
  findOccupation,
  type Lexicon,
  type SwapChange,
  type SwapMark,
  type SwapMarkKind,
  type SwapOptions,
  swapText,
} from '../lexicon/index.ts';

/** Where the text is looked for, unless said. */
export const TEXT_COLUMNS = ['text', 'x', 'prompt'] as const;
/** Columns that the swap makes; `x` may be the column that it reads. */
const MADE = ['x', 'x_swap', 'roundTrip', 'roundTripText', 'marks'] as const;

export type RejectReason =
  | 'data_malformed'
  | 'no_text'
  | 'no_lexicon_word'
  | 'no_partner'
  | 'ambiguous_use'
  | 'round_trip'
  | SwapMarkKind;

/** A row that has no counterfactual. */
export interface RejectedRow {
  readonly file: string;
  /** From 1, through all files. */
  readonly row: number;
  readonly line: number;
  readonly id: unknown;
  readonly reason: RejectReason;
  readonly message: string;
}

/** A word and what took its place, in lower case unless it is a name, and how often. */
export interface CountedChange {
  readonly from: string;
  readonly to: string;
  readonly as: string | null;
  count: number;
}

/** What was met on the way; it grows as the rows pass. */
export class SwapTally {
  rows = 0;
  swapped = 0;
  /** Of those swapped: rows that the second swap does not bring back. */
  roundTripFailed = 0;
  /** Of those swapped: rows with a mark, by kind; a row may have several. */
  readonly marked = new Map<SwapMarkKind, number>();
  /** Rows whose occupation was taken from their text. */
  occupationsFound = 0;
  readonly rejected = new Map<RejectReason, number>();
  readonly #changes = new Map<string, CountedChange>();

  get changes(): CountedChange[] {
    return [...this.#changes.values()].sort((a, b) => b.count - a.count);
  }

  reject(reason: RejectReason): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1);
  }

  change({ from, to, as }: SwapChange): void {
    const lower = (word: string) => (as === 'name' ? word : word.toLowerCase());
    const change = { from: lower(from), to: lower(to), as };
    const key = JSON.stringify(change);
    const known = this.#changes.get(key) ?? { ...change, count: 0 };
    known.count += 1;
    this.#changes.set(key, known);
  }
}

export interface SwapJob {
  readonly dataset: Dataset;
  readonly lexicon: Lexicon;
  readonly options: SwapOptions;
  readonly column: string;
  /** Refuse rows that the second swap does not bring back, and marked ones. */
  readonly strictRoundTrip: boolean;
  readonly signal: AbortSignal;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The rows that have a counterfactual, each with its own columns and those of the swap; the others go to `reject`.
 * Errors: `cancelled`; `data_malformed` for a row that already has a column which the swap makes; those of the dataset.
 */
export async function* swapRows(
  job: SwapJob,
  tally: SwapTally,
  reject: (row: RejectedRow) => Promise<void>,
): AsyncGenerator<Fields, void, undefined> {
  for await (const row of uniqueIds(job.dataset.rows(), outputId)) {
    if (job.signal.aborted) throw new AuditError('cancelled', 'the swap was cancelled; no file was written');
    tally.rows += 1;
    const result = swapRow(row, job, tally);
    if ('fields' in result) {
      yield result.fields;
      continue;
    }
    const { reason, message } = result;
    tally.reject(reason);
    const { file, line } = row;
    await reject({ file, row: row.index + 1, line, id: idOf(row.value), reason, message });
  }
}

type RowResult = { fields: Fields } | { reason: RejectReason; message: string };

function swapRow(
  row: DatasetRow,
  { lexicon, options, column, strictRoundTrip }: SwapJob,
  tally: SwapTally,
): RowResult {
  if (row.error !== undefined) return { reason: 'data_malformed', message: row.error.message };
  if (!isRecord(row.value)) return { reason: 'data_malformed', message: 'the row is no object with columns' };
  checkColumns(row, row.value, column);
  const text = Object.hasOwn(row.value, column) ? row.value[column] : undefined;
  if (typeof text !== 'string' || text === '') {
    return { reason: 'no_text', message: `column ${column} holds no text` };
  }
  const swapped = swapText(lexicon, text, options);
  if (!swapped.ok) return { reason: swapped.reason, message: swapped.message };
  const { ok, back } = checkRoundTrip(lexicon, text, swapped.text, options);
  const [mark] = swapped.marks;
  if (mark !== undefined && strictRoundTrip) return { reason: mark.mark, message: markMessage(mark) };
  if (!ok && strictRoundTrip) {
    const outcome = back === null ? 'cannot be swapped back' : `comes back as ${JSON.stringify(back)}`;
    return { reason: 'round_trip', message: `${JSON.stringify(swapped.text)} ${outcome}` };
  }
  tally.swapped += 1;
  const marks = [...new Set(swapped.marks.map(({ mark }) => mark))];
  for (const kind of marks) tally.marked.set(kind, (tally.marked.get(kind) ?? 0) + 1);
  // A marked row is counted as that, for its way back says nothing.
  if (!ok && marks.length === 0) tally.roundTripFailed += 1;
  for (const change of swapped.changes) tally.change(change);
  const { id: _, ...own } = row.value;
  return {
    fields: {
      id: idOf(row.value) ?? numberOf(row),
      ...own,
      x: text,
      x_swap: swapped.text,
      ...occupationOf(row.value, text, lexicon, tally),
      roundTrip: ok && marks.length === 0,
      roundTripText: back === text ? null : back,
      marks:
        swapped.marks.length === 0
          ? null
          : swapped.marks.map(({ mark, word }) => `${mark}: ${word}`).join('; '),
    },
  };
}

/** Columns of what {@link swapRows} gives for rows that have the columns `own`. */
export function swappedColumns(own: readonly string[], { lexicon }: Pick<SwapJob, 'lexicon'>): string[] {
  const occupation = lexicon.occupations.length === 0 ? [] : ['occupation'];
  return [...new Set(['id', ...own, 'x', 'x_swap', ...occupation, 'roundTrip', 'roundTripText', 'marks'])];
}

function markMessage({ mark, word }: SwapMark): string {
  return mark === 'named_person'
    ? `"${word}" names a person, and the name stays; give --names to swap it too`
    : `"${word}" may be a part of a name or title and stays`;
}

/** The row's own occupation, or the one that its text names. */
function occupationOf(row: Fields, text: string, lexicon: Lexicon, tally: SwapTally): Fields {
  if (lexicon.occupations.length === 0 || (row.occupation ?? '') !== '') return {};
  const occupation = findOccupation(lexicon, text);
  if (occupation !== null) tally.occupationsFound += 1;
  return { occupation };
}

function checkColumns({ file, index, line }: DatasetRow, row: Fields, column: string): void {
  const taken = MADE.find((made) => made !== column && Object.hasOwn(row, made));
  if (taken === undefined) return;
  const how = taken === 'x' ? '; take it out, or give --column x' : '; take it out first';
  throw new AuditError(
    'data_malformed',
    `${file}: row ${index + 1} (line ${line}) already has a column ${taken}, which the swap makes${how}`,
    { file, line, index, column: taken },
  );
}

/** A row without an id goes by its number. */
function numberOf({ index }: DatasetRow): string {
  return String(index + 1);
}

function outputId(row: DatasetRow): string {
  return String(idOf(row.value) ?? numberOf(row));
}

/** The id of a row that has one. */
function idOf(value: unknown): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, 'id')) return null;
  return value.id === '' ? null : (value.id ?? null);
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
