/** Rows of BBQ as it was published: a question with three options, of which `answer_info` says whom each one names. */
import { z } from 'zod';

export type Option = 0 | 1 | 2;
export const OPTIONS: readonly Option[] = [0, 1, 2];

const text = z.string();
const named = z.array(z.string());

/** A whole number from 0 to 2, also as text. */
const optionIndex = z
  .union([z.literal([0, 1, 2]), z.enum(['0', '1', '2'])])
  .transform((value) => Number(value) as Option);

/** Published in a file beside the rows, and joined to them in some copies; elsewhere absent, null or something else. */
const joined = { label_type: z.unknown().optional(), target_loc: z.unknown().optional() };

export const schema = z
  .looseObject({
    category: z.string().min(1),
    question_index: z.union([z.string().min(1), z.number()]),
    question_polarity: z.enum(['neg', 'nonneg']),
    context_condition: z.enum(['ambig', 'disambig']),
    example_id: z.union([z.string(), z.number()]).nullish(),
    question: text.nullish(),
    answer_info: z.looseObject({ ans0: named, ans1: named, ans2: named }),
    additional_metadata: z
      .looseObject({ stereotyped_groups: z.array(z.string()).nullish(), ...joined })
      .nullish(),
    ans0: text,
    ans1: text,
    ans2: text,
    label: optionIndex,
    ...joined,
  })
  .transform((row, { addIssue }): BbqRow => {
    const info = [row.answer_info.ans0, row.answer_info.ans1, row.answer_info.ans2];
    const unknown = OPTIONS.filter((option) => tagOf(info[option]!).toLowerCase() === 'unknown');
    if (unknown.length !== 1) {
      const message = `gives the tag "unknown" to ${unknown.length} options; give it to the one that names nobody`;
      addIssue({ code: 'custom', path: ['answer_info'], message });
      return z.NEVER;
    }
    const metadata = row.additional_metadata;
    return {
      exampleId: row.example_id == null ? null : String(row.example_id),
      category: row.category,
      template: String(row.question_index),
      negative: row.question_polarity === 'neg',
      ambiguous: row.context_condition === 'ambig',
      question: row.question ?? '',
      options: [row.ans0, row.ans1, row.ans2],
      info,
      unknown: unknown[0]!,
      label: row.label,
      stereotyped: metadata?.stereotyped_groups ?? [],
      labelType: given(row.label_type ?? metadata?.label_type),
      targetLocation: given(row.target_loc ?? metadata?.target_loc),
    };
  });

export interface BbqRow {
  readonly exampleId: string | null;
  readonly category: string;
  /** `question_index`: which of the category's templates made the question. */
  readonly template: string;
  readonly negative: boolean;
  readonly ambiguous: boolean;
  readonly question: string;
  readonly options: readonly string[];
  /** Of each option its name and its tag: the group that it belongs to, or "unknown". */
  readonly info: readonly (readonly string[])[];
  /** The option that names nobody. */
  readonly unknown: Option;
  /** The right option. */
  readonly label: Option;
  readonly stereotyped: readonly string[];
  /** `label_type` and `target_loc` of the published metadata, where the row carries them. */
  readonly labelType: string | null;
  readonly targetLocation: string | null;
}

/** The last entry of an option's `answer_info`; some published rows have it empty. */
export function tagOf(info: readonly string[]): string {
  return (info.at(-1) ?? '').trim();
}

function given(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : null;
}
