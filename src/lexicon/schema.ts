/**
 * The shape of a lexicon file, checked key by key: an unknown key, a value of the wrong kind and a word that is no
 * word are each told with the path where they stand. What concerns several entries at once is in rules.ts.
 */
import { z } from 'zod';
import { GROUP_NAME, LEXICON_NAME } from './names.ts';

/** A fault in a lexicon file: where (keys and indices from the root) and what to do. */
export interface LexiconFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A word may hold inner spaces ("step mother"), but no line break and nothing at its ends that a reader cannot see. */
export const WORD = /^[^\s\p{Cc}](?:[^\r\n\p{Cc}]*[^\s\p{Cc}])?$/u;

const text = z.string().min(1, { error: 'is empty; give some text' });
const word = z.string({ error: 'is not text; write the word in quotes' }).regex(WORD, {
  error: 'is not a word; give at least one character, without spaces or line breaks around it',
});
const groupName = z.string().regex(GROUP_NAME, {
  error: 'is not a group name; start with a letter and use letters, digits, _ and -',
});

export const lexiconSchema = z.strictObject({
  name: z.string().regex(LEXICON_NAME, {
    error: 'is not a lexicon name; use letters, digits, _ and -',
  }),
  language: text,
  description: text,
  source: text.optional(),
  groups: z
    .record(groupName, z.array(word).min(1, { error: 'is empty; list at least one word' }))
    .refine((groups) => Object.keys(groups).length > 0, { error: 'is empty; give at least one group' }),
  matchCase: z.array(word).optional(),
  names: z.array(word).optional(),
  pairs: z.array(z.record(z.string(), word)).optional(),
  occupations: z
    .array(
      z.strictObject({
        word,
        share: z
          .number()
          .min(0, { error: 'is below 0' })
          .max(1, { error: 'is above 1; give a share from 0 to 1' }),
        year: z.int().optional(),
      }),
    )
    .optional(),
});

export type LexiconFile = z.infer<typeof lexiconSchema>;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(lexiconSchema.shape),
  occupations: ['word', 'share', 'year'],
};

/** Every fault of `raw` against the schema; empty when it fits, and then `file` is there. */
export function checkShape(raw: unknown): { file: LexiconFile | null; faults: LexiconFault[] } {
  const hidden = hiddenKey(raw);
  if (hidden !== null) return { file: null, faults: [hidden] };
  const parsed = lexiconSchema.safeParse(raw);
  if (parsed.success) return { file: parsed.data, faults: [] };
  return { file: null, faults: parsed.error.issues.map((issue) => toFault(issue, raw)) };
}

/** The key that zod leaves out of records without a word; nothing in a file may go unread. */
function hiddenKey(raw: unknown): LexiconFault | null {
  const pairs = valueAt(raw, ['pairs']);
  const records = [['groups'], ...(Array.isArray(pairs) ? pairs.map((_, index) => ['pairs', index]) : [])];
  for (const record of records) {
    const path = [...record, '__proto__'];
    if (valueAt(raw, path) === undefined) continue;
    return { path, message: `${formatPath(path)} is not a group name; start with a letter` };
  }
  return null;
}

function toFault(issue: z.core.$ZodIssue, raw: unknown): LexiconFault {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => `"${key}"`).join(', ');
    const allowed = KEYS[String(path[0] ?? '')] ?? [];
    const plural = issue.keys.length > 1 ? 'are not keys' : 'is not a key';
    return {
      path: [...path, issue.keys[0] ?? ''],
      message: `${unknown} ${plural} of a lexicon; the keys here are ${allowed.join(', ')}`,
    };
  }
  const key = path.length === 0 ? 'the file' : formatPath(path);
  if (issue.code === 'invalid_key') {
    return { path, message: `${key} ${issue.issues[0]?.message ?? 'is not a valid key'}` };
  }
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    const found = valueAt(raw, path);
    const wanted =
      issue.expected === 'record' || issue.expected === 'object' ? 'keys with values' : issue.expected;
    return {
      path,
      message:
        found === undefined
          ? `${key} is missing; give ${wanted === 'string' ? 'a string' : `${wanted}`}`
          : `${key} is of the wrong kind; give ${wanted === 'string' ? 'a string' : `${wanted}`}`,
    };
  }
  return { path, message: `${key} ${issue.message}` };
}

/** `groups.female[2]` */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (all, step) => (typeof step === 'number' ? `${all}[${step}]` : all === '' ? step : `${all}.${step}`),
    '',
  );
}

function valueAt(raw: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Record<string | number, unknown>)[step]
        : undefined,
    raw,
  );
}
