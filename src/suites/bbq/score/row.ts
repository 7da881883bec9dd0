/** A row of a result file: its category, its answer, and which option means what. */
import { z } from 'zod';
import { checkRow, type DatasetRow } from '../../../dataset/index.ts';
import type { AuditError } from '../../../errors.ts';
import type { Setting } from './result-name.ts';

/** The category of all rows together. */
export const OVERALL = 'overall';
const MOST_OPTIONS = 26;
const DEFAULT_OPTIONS = 3;
const INDICES = [
  'unk_label_idx',
  'stereotype_group_idx',
  'nonstereotype_group_idx',
  'correct_option_idx',
] as const;

const index = z.int();
const schema = z
  .looseObject({
    category: z.string().min(1),
    /** The answer as text; as an index of the options, where -1 is none; null for no answer. */
    pred: z.union([z.string(), z.int(), z.null()], { error: 'give text, an index of the options, or null' }),
    options: z.array(z.string()).min(2).max(MOST_OPTIONS).optional(),
    unk_label_idx: index,
    stereotype_group_idx: index,
    nonstereotype_group_idx: index,
    correct_option_idx: index.nullish(),
  })
  .superRefine((row, context) => {
    const count = row.options?.length ?? DEFAULT_OPTIONS;
    const fault = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message, input: row });
    for (const key of INDICES) {
      const at = row[key];
      if (at != null && !(at >= 0 && at < count))
        fault(key, `is ${at}; give an index of the ${count} options, from 0`);
    }
    if (typeof row.pred === 'number' && !(row.pred >= -1 && row.pred < count))
      fault('pred', `is ${row.pred}; give an index of the ${count} options, from 0, or -1 for none`);
    const meanings = [row.unk_label_idx, row.stereotype_group_idx, row.nonstereotype_group_idx];
    if (new Set(meanings).size < meanings.length) {
      fault(
        'unk_label_idx',
        'this, stereotype_group_idx and nonstereotype_group_idx must name three options',
      );
    }
    if (row.category === OVERALL)
      fault('category', `"${OVERALL}" is what all rows together are called; give another name`);
  });

export type ResultRow = z.output<typeof schema>;

/** The row, or what is wrong with it: `data_malformed` as read, `row_invalid` for its content. */
export function readRow(row: DatasetRow, setting: Setting): ResultRow | AuditError {
  const checked = checkRow(needsCorrect(setting) ? withCorrect : schema, row);
  return checked.ok ? checked.value : checked.error;
}

function needsCorrect({ scoredAs, context }: Setting): boolean {
  return scoredAs === 'visual_language' && context === 'disambiguous';
}

const withCorrect = schema.refine((row) => row.correct_option_idx != null, {
  path: ['correct_option_idx'],
  error: 'is missing; a disambiguated context has a right option, so give its index',
});

/** The question template within its category, by the number that BBQ or MultiBBQ gives it; null where the row has none. */
export function templateOf(row: ResultRow): string | null {
  const number = row.question_index ?? row.q_id;
  return typeof number === 'string' || typeof number === 'number' ? `${row.category} ${number}` : null;
}

/** How many options the row offers. */
export function optionCount(row: ResultRow): number {
  return row.options?.length ?? DEFAULT_OPTIONS;
}
