/**
 * A file of token groups, {"female": [311, 358], "male": [281]}: for logits whose tokenizer is not at hand, and for those
 * who choose ids themselves. It is read by the YAML parser, of which JSON is a part, because that one sees a key that is
 * there twice, where JSON.parse would drop the first.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { AuditError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { GROUP_NAME } from './names.ts';

export interface TokenGroup {
  readonly name: string;
  readonly ids: Int32Array;
}

const MAX_ID = 2 ** 31 - 1;

const id = z
  .int({ error: 'is no token id; give a whole number' })
  .min(0, { error: 'is below 0; token ids begin at 0' })
  .max(MAX_ID, { error: `is above ${MAX_ID}; no token has such an id` });
const ids = z
  .array(id, { error: 'is no list; give a list of token ids' })
  .min(1, { error: 'is empty; list at least one token id' })
  .superRefine((list, context) => {
    const seen = new Map<number, number>();
    for (const [index, value] of list.entries()) {
      const first = seen.get(value);
      if (first === undefined) seen.set(value, index);
      else {
        const message = `is ${value}, as is the one at [${first}]; list an id once`;
        context.addIssue({ code: 'custom', path: [index], message });
        return;
      }
    }
  });
const schema = z
  .record(
    z
      .string()
      .regex(GROUP_NAME, { error: 'is no group name; begin with a letter and use letters, digits, _ and -' }),
    ids,
    { error: 'is no object; give group names with lists of token ids' },
  )
  .refine((groups) => Object.keys(groups).length > 0, { error: 'is empty; give at least one group' });

export interface TokenGroupsFile {
  /** As given. */
  readonly file: string;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
  readonly groups: readonly TokenGroup[];
}

/** Reads a groups file. Errors: `file_not_found`, `file_unreadable`, `data_malformed` naming the key. */
export async function readTokenGroups(file: string): Promise<TokenGroupsFile> {
  const bytes = await readFile(file).catch((cause) => {
    throw fileError(file, cause);
  });
  const parsed = schema.safeParse(parse(bytes, file));
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const message =
      issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    throw malformed(file, keyOf(issue.path), message);
  }
  const groups = Object.entries(parsed.data).map(([name, list]) => ({ name, ids: Int32Array.from(list) }));
  return { file, sha256: createHash('sha256').update(bytes).digest('hex'), groups };
}

function parse(bytes: Uint8Array, file: string): unknown {
  let plain: unknown;
  try {
    const document = parseDocument(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (document.errors[0] !== undefined) throw document.errors[0];
    plain = document.toJS();
  } catch (cause) {
    const [why] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    const message = `${file} is no JSON: ${why}`;
    throw new AuditError('data_malformed', message, { file }, { cause });
  }
  // zod leaves this key out of records without a word.
  if (typeof plain === 'object' && plain !== null && Object.hasOwn(plain, '__proto__')) {
    throw malformed(file, '__proto__', 'is no group name; begin with a letter');
  }
  return plain;
}

/** `female[2]` */
function keyOf(path: readonly PropertyKey[]): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : String(step))).join('');
}

function malformed(file: string, key: string, message: string): AuditError {
  const subject = key === '' ? file : `${file}: ${key}`;
  return new AuditError('data_malformed', `${subject} ${message}`, { file, key });
}

/** Refuses ids that the vocabulary does not have, before a row is read. Throws `out_of_range`. */
export function checkTokenGroups(
  groups: readonly TokenGroup[],
  vocab: number,
  file: string,
  logits: string,
): void {
  const outside = findOutside(groups, vocab);
  if (outside === null) return;
  const { key, id: value } = outside;
  throw new AuditError(
    'out_of_range',
    `${file}: ${key} is ${value}, but a row of ${logits} has ${vocab} logits; ids go from 0 to ${vocab - 1}`,
    { file, key, id: value },
  );
}

/** The first id that a vocabulary of `vocab` does not have, or null. */
export function findOutside(
  groups: readonly TokenGroup[],
  vocab: number,
): { key: string; id: number } | null {
  for (const { name, ids: list } of groups) {
    const index = list.findIndex((value) => value >= vocab);
    if (index !== -1) return { key: `${name}[${index}]`, id: list[index]! };
  }
  return null;
}

/** `female` -> `massFemale`: what every table calls the mass of a group; the suffix tells a side, such as `Swap`. */
export function massName(group: string, suffix = ''): string {
  return `mass${group.charAt(0).toUpperCase()}${group.slice(1)}${suffix}`;
}
