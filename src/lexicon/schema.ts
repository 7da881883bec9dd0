/**
 * The shape of a lexicon file, checked key by key: an unknown key, a value of the wrong kind and a word that is no
 * word are each reported with the path where they stand. What concerns several entries at once is in rules.ts.
 */
import { z } from 'zod';
import { formatPath, type ShapeFault, shapeFaults, valueAt } from '../catalog/index.ts';
import { GROUP_NAME, LEXICON_NAME } from './names.ts';

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
  swap: z
    .strictObject({
      oneWay: z.array(z.strictObject({ word, to: word })).optional(),
      endings: z.array(z.record(z.string(), word)).optional(),
      otherwise: z.array(word).optional(),
      beforeNames: z.array(word).optional(),
      fixed: z.array(word).optional(),
      persons: z.array(word).optional(),
      personsOrWords: z.array(word).optional(),
      personsOrPlaces: z.array(word).optional(),
    })
    .optional(),
  controls: z
    .array(
      z.strictObject({
        words: z.array(word).length(2, { error: 'does not hold two words; give the two that are swapped' }),
        for: z.array(word).min(2, {
          error: 'holds fewer than two words; give words of the groups, of two groups at least',
        }),
      }),
    )
    .optional(),
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
  controls: ['words', 'for'],
  occupations: ['word', 'share', 'year'],
  swap: Object.keys(lexiconSchema.shape.swap.unwrap().shape),
};

/** Every fault of `raw` against the schema; empty when it fits, and then `file` is there. */
export function checkShape(raw: unknown): { file: LexiconFile | null; faults: ShapeFault[] } {
  const hidden = hiddenKey(raw);
  if (hidden !== null) return { file: null, faults: [hidden] };
  const parsed = lexiconSchema.safeParse(raw);
  if (parsed.success) return { file: parsed.data, faults: [] };
  const faults = shapeFaults(parsed.error.issues, raw, 'a lexicon', ([key]) => KEYS[String(key ?? '')] ?? []);
  return { file: null, faults };
}

/** The key that zod leaves out of records without a word; nothing in a file may go unread. */
function hiddenKey(raw: unknown): ShapeFault | null {
  const lists = [['pairs'], ['swap', 'endings']].flatMap((path) => {
    const list = valueAt(raw, path);
    return Array.isArray(list) ? list.map((_, index) => [...path, index]) : [];
  });
  const records = [['groups'], ...lists];
  for (const record of records) {
    const path = [...record, '__proto__'];
    if (valueAt(raw, path) === undefined) continue;
    return { path, message: `${formatPath(path)} is not a group name; start with a letter` };
  }
  return null;
}
