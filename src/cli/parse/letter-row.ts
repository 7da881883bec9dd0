/** A row with a text and what was on offer, and the line that it becomes. */
import { z } from 'zod';
import { checkRow, type DatasetRow } from '../../dataset/index.ts';
import { AuditError } from '../../errors.ts';
import { type LetterParser, type LetterStatus, parseLetter, type UnparsedReason } from '../../parse/index.ts';
import type { ReadRow } from './each-row.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** One or more letters, none of them twice. */
export function isLetters(text: string): boolean {
  return /^[A-Za-z]+$/.test(text) && new Set(text.toUpperCase()).size === text.length;
}

const OPTIONS_ERROR = 'give letters, each once, such as "ABC", or a list of 1 to 26 option texts';
/** An empty cell of a CSV file is none. */
const OPTIONS = z.union(
  [
    z.string().refine((text) => text === '' || isLetters(text), { error: OPTIONS_ERROR }),
    z.array(z.string(), { error: OPTIONS_ERROR }).min(1, OPTIONS_ERROR).max(ALPHABET.length, OPTIONS_ERROR),
  ],
  { error: OPTIONS_ERROR },
);
const ID = z.union([z.string(), z.number()], { error: 'give a string or a number' }).nullish();
const TEXT = z.string().nullable();
const OFFERED = { options: OPTIONS.nullish(), unknownIndex: z.int().min(0).nullish() };

export interface LetterLine {
  readonly id: string | number;
  readonly status: LetterStatus;
  readonly value: string | null;
  /** Only where unparsed. */
  readonly reason?: UnparsedReason;
}

export interface Asked {
  /** On offer to a row that has none of its own. */
  readonly letters: string;
  readonly parser: LetterParser;
  readonly tailSlice: number | undefined;
  /** Keys of the row that hold the text and the id. */
  readonly textColumn: string;
  readonly idColumn: string;
}

/** A reader of rows. Its errors: `data_malformed` as read; `row_invalid` for a row without text or with options that do not fit. */
export function letterRowReader(asked: Asked): (row: DatasetRow) => ReadRow<LetterLine> {
  const schema = z.looseObject({ ...OFFERED, [asked.idColumn]: ID, [asked.textColumn]: TEXT });
  return (row) => {
    const checked = checkRow(schema, row);
    if (!checked.ok) return checked;
    const { [asked.idColumn]: id, [asked.textColumn]: text } = checked.value;
    return lineOf(row, ID.parse(id), TEXT.parse(text), { ...checked.value, ...asked });
  };
}

type Offered = z.infer<z.ZodObject<typeof OFFERED>>;

function lineOf(
  row: DatasetRow,
  id: z.infer<typeof ID>,
  text: string | null,
  { options: own, unknownIndex = null, letters, parser, tailSlice }: Offered & Asked,
): ReadRow<LetterLine> {
  const texts = Array.isArray(own) ? { options: own } : {};
  const labels = [...(Array.isArray(own) ? ALPHABET.slice(0, own.length) : own || letters)];
  if (unknownIndex !== null && unknownIndex >= labels.length) {
    return { ok: false, error: outside(row, unknownIndex, labels.length) };
  }
  const { status, value, reason } = parseLetter(text, {
    labels,
    parser,
    unknownIndex,
    tailSlice: tailSlice ?? null,
    ...texts,
  });
  const line = { id: id ?? String(row.index + 1), status, value };
  return { ok: true, line: reason === null ? line : { ...line, reason } };
}

function outside({ file, index, line }: DatasetRow, unknownIndex: number, count: number): AuditError {
  const message = `${file}: row ${index + 1} (line ${line}): unknownIndex is ${unknownIndex}; give an index of the ${count} options, from 0`;
  return new AuditError('row_invalid', message, { file, line, index, key: 'unknownIndex' });
}
