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
  /** Only where the status is ok. */
  readonly value?: JsonValue;
  readonly repaired: boolean;
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
    const key = 'key' in answer ? { key: answer.key } : {};
    return { id, status: answer.status, repaired: false, message: answer.message, ...key };
  }
  const { value, repaired, repairs, notes } = answer;
  return {
    ...{ id, status: 'ok', value, repaired },
    ...(repaired ? { repairs } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  };
}
