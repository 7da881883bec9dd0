/** A row with a text, and the line that it becomes. */
import { z } from 'zod';
import { checkRow, type DatasetRow } from '../../dataset/index.ts';
import {
  extractJson,
  extractOriginal,
  type FieldFault,
  type JsonFault,
  type JsonValue,
  type Note,
  type NumberFault,
  type ObjectAnswer,
  type ObjectOptions,
  type ObjectSchema,
  parseObject,
  type Repair,
} from '../../parse/index.ts';
import type { ReadRow } from './each-row.ts';

export interface JsonLine {
  readonly id: string | number;
  readonly status: 'ok' | JsonFault | FieldFault;
  /** Only where the status is ok, or a number alone is at fault: then with the other fields. */
  readonly value?: JsonValue;
  readonly repaired: boolean;
  /** Numbers that JSON could not hold, by their keys, as `notes` say them; only where there are any. */
  readonly fields?: Readonly<Record<string, NumberFault>>;
  /** Only where there are any. */
  readonly repairs?: readonly Repair[];
  readonly notes?: readonly Note[];
  /** Only where the status is not ok. */
  readonly message?: string;
  readonly key?: string;
}

export interface JsonAsked extends ObjectOptions {
  readonly schema: ObjectSchema | null;
  /** Keys of the row that hold the text and the id. */
  readonly textColumn: string;
  readonly idColumn: string;
}

/** A reader of rows. Its errors: `data_malformed` as read; `row_invalid` for a row without text. */
export function jsonRowReader(asked: JsonAsked): (row: DatasetRow) => ReadRow<JsonLine> {
  const { textColumn, idColumn } = asked;
  const schema = z.looseObject({
    [idColumn]: z.union([z.string(), z.number()], { error: 'give a string or a number' }).nullish(),
    [textColumn]: z.string().nullable(),
  });
  return (row) => {
    const checked = checkRow(schema, row);
    if (!checked.ok) return checked;
    const id = checked.value[idColumn] as string | number | null | undefined;
    const text = checked.value[textColumn] as string | null;
    return { ok: true, line: lineOf(id ?? String(row.index + 1), read(text ?? '', asked)) };
  };
}

function read(text: string, { schema, ...options }: JsonAsked): JsonReading {
  if (schema !== null) return parseObject(text, schema, options);
  return options.compat === undefined ? extractJson(text, options) : extractOriginal(text);
}

type JsonReading = ObjectAnswer | ReturnType<typeof extractJson>;

function lineOf(id: string | number, answer: JsonReading): JsonLine {
  if (answer.status !== 'ok') {
    const { status, message } = answer;
    const key = 'key' in answer ? { key: answer.key } : {};
    const rest = 'value' in answer && answer.value !== undefined ? { value: answer.value } : {};
    return { id, status, ...rest, repaired: false, message, ...key };
  }
  const { value, repaired, repairs, notes } = answer;
  return {
    ...{ id, status: 'ok', value, repaired },
    ...fieldsOf(notes),
    ...(repaired ? { repairs } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function fieldsOf(notes: readonly Note[]): Pick<JsonLine, 'fields'> {
  const faults = notes.flatMap(({ code, key }) =>
    key !== undefined && (code === 'non_finite_number' || code === 'unsafe_integer') ? [[key, code]] : [],
  );
  return faults.length > 0 ? { fields: Object.fromEntries(faults) as Record<string, NumberFault> } : {};
}
