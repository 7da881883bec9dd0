/** JSON files with a shape of ours, most of them written by us: read whole and checked, with one way to say what is wrong. */
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { AuditError } from '../errors.ts';
import { fileError } from './file-error.ts';

/**
 * What the file holds. `remedy` ends the message of a file that does not: "make the run again". Throws `file_not_found`,
 * `file_unreadable`, and `data_malformed` with the place in the file.
 */
export async function readJsonFile<T>(file: string, schema: z.ZodType<T>, remedy: string): Promise<T> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw fileError(file, cause);
  }
  const malformed = (what: string, cause?: unknown) =>
    new AuditError('data_malformed', `${file} ${what}; ${remedy}`, { file }, { cause });
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (cause) {
    throw malformed('is no valid JSON', cause);
  }
  const read = schema.safeParse(raw);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  const key = path.map(String).join('.');
  throw malformed(
    key === '' ? `is not what it should be: ${message}` : `has no good value for "${key}": ${message}`,
  );
}

/** The same; null where there is no file. */
export async function readJsonFileIfThere<T>(
  file: string,
  schema: z.ZodType<T>,
  remedy: string,
): Promise<T | null> {
  try {
    return await readJsonFile(file, schema, remedy);
  } catch (thrown) {
    if (thrown instanceof AuditError && thrown.code === 'file_not_found') return null;
    throw thrown;
  }
}
