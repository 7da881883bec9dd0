/**
 * Rows against a schema. The first few things wrong with a row become one error that names the row as its author
 * knows it: by number, line and id, and each thing by its key.
 */
import type { z } from 'zod';
import { AuditError } from '../errors.ts';
import { foundInstead } from './nearest.ts';
import type { DatasetRow } from './row.ts';

const SHOWN_PROBLEMS = 3;

export type CheckedRow<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: AuditError };

/** The row's value as the schema reads it, or why it has none: `data_malformed` as read, `row_invalid` from the schema. */
export function checkRow<T>(schema: z.ZodType<T>, row: DatasetRow): CheckedRow<T> {
  if (row.error !== undefined) return { ok: false, error: row.error };
  const parsed = schema.safeParse(row.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, error: rowProblem(parsed.error.issues, row) };
}

/** One `row_invalid` out of what a schema found wrong with `row`. */
export function rowProblem(issues: readonly z.core.$ZodIssue[], row: DatasetRow): AuditError {
  const problems = issues.map((issue) => describeIssue(issue, row.value));
  const more = problems.length - SHOWN_PROBLEMS;
  const shown = problems.slice(0, SHOWN_PROBLEMS).map(({ message }) => message);
  const id = idOf(row.value);
  const { file, line, index } = row;
  const columns = namesOf(row.value);
  const missing = issues.flatMap(({ path: [key], path }) =>
    path.length === 1 && typeof key === 'string' && !columns.includes(key) ? [key] : [],
  );
  const found = missing.length === 0 ? '' : `; ${foundInstead(missing, columns)}`;
  const place = id === null ? `line ${line}` : `line ${line}, id ${JSON.stringify(id)}`;
  return new AuditError(
    'row_invalid',
    `${file}: row ${index + 1} (${place}): ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}${found}`,
    { file, line, index, id, key: problems[0]?.key ?? '', problems },
  );
}

/** One thing that is wrong, and where. */
export interface Problem {
  readonly key: string;
  readonly message: string;
}

/** What a schema found wrong with `value`, which the message calls `whole` where no key of it is meant. */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown, whole = 'the row'): Problem {
  const key = keyOf(issue.path);
  const name = key === '' ? whole : key;
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((unknown) => JSON.stringify(unknown)).join(', ');
    const within = key === '' ? '' : ` in ${key}`;
    return {
      key: keyOf([...issue.path, issue.keys[0] ?? '']),
      message: `unknown key ${keys}${within}; check its spelling, or leave it out`,
    };
  }
  const wanted = wantedBy(issue);
  const found = valueAt(value, issue.path);
  if (wanted === null) return { key, message: `${name}: ${issue.message}` };
  if (found === undefined) return { key, message: `${name} is missing; give ${wanted}` };
  const kind = issue.code === 'invalid_type' ? kindOf(found) : JSON.stringify(found);
  return { key, message: `${name} is ${kind}; give ${wanted}` };
}

function wantedBy(issue: z.core.$ZodIssue): string | null {
  if (issue.code === 'invalid_type') return withArticle(issue.expected);
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ');
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1)
    return 'a string that is not empty';
  return null;
}

function keyOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (all, step) =>
      typeof step === 'number' ? `${all}[${step}]` : all === '' ? String(step) : `${all}.${String(step)}`,
    '',
  );
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Record<PropertyKey, unknown>)[step]
        : undefined,
    value,
  );
}

/** Of a record its columns or keys. */
function namesOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function idOf(value: unknown): string | number | null {
  const id = valueAt(value, ['id']);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function withArticle(kind: string): string {
  if (kind === 'int') return 'a whole number';
  if (kind === 'null' || kind === 'undefined') return kind;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
