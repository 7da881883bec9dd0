/**
 * Rows of both forms of the benchmark brought into one. A row of MultiBBQ has both questions, both contexts and its
 * texts twice, as they are and masked; a row of BBQ (Parrish et al. 2022) is one question in one context, and says by
 * tags whom its options name.
 */
import { z } from 'zod';
import { optionalText } from '../../../contract/columns.ts';
import type { Fields } from '../../../contract/metric.ts';
import { reportedCategory } from '../score/paper/category.ts';
import { type BbqRow as BbqSource, schema as bbqSource } from '../score/paper/row.ts';
import { targetOf } from '../score/paper/target.ts';
import type { Context, Polarity } from './options.ts';

/** The texts of a row in one wording. */
export interface Wording {
  readonly context: string;
  readonly options: readonly string[];
}

export interface Question {
  readonly text: string;
  /** Index of the option that is right once the context tells it. */
  readonly correct: number;
}

/** Indices of the options by whom they name. */
export interface Groups {
  readonly stereotype: number;
  readonly nonstereotype: number;
}

export interface BbqRow {
  readonly source: 'multibbq' | 'bbq';
  readonly id: string;
  readonly category: string;
  /** Under which the scores of the benchmark report the row: rows of proper names have categories of their own. */
  readonly reported: string;
  /** Rows of one number in one category share their wording. */
  readonly template: string;
  /** What the data set knows the row by; goes into results as it is. */
  readonly ids: Fields;
  /** The context of the row; of MultiBBQ the ambiguous one. */
  readonly unmasked: Wording;
  /** With places in an image for names of groups; null for a row that has none. */
  readonly masked: Wording | null;
  /** What makes the context unambiguous, in both wordings; null where the context is whole as it is. */
  readonly sentence: { readonly plain: string; readonly masked: string } | null;
  readonly questions: Readonly<Partial<Record<Polarity, Question>>>;
  readonly contexts: readonly Context[];
  readonly unknown: number;
  /** Or why it is not known. */
  readonly groups: Groups | { readonly reason: string };
  /** As the data set has it; null for a row of text. */
  readonly image: string | null;
}

const text = z.string().min(1);
const three = z.array(text).length(3);
const index = z.int().min(0).max(2);
const number = z.union([z.string(), z.number()]);

const multibbq = z
  .looseObject({
    category: text,
    q_id: number,
    c_id: number,
    ambig_context: text,
    ambig_context_masked: text,
    disambig_context: text,
    disambig_context_masked: text,
    neg_q: text,
    nonneg_q: text,
    options: three,
    options_masked: three,
    neg_label_idx: index,
    nonneg_label_idx: index,
    unk_label_idx: index,
    stereotype_group_idx: index,
    nonstereotype_group_idx: index,
    image_path: optionalText,
  })
  .transform((row, { addIssue }): BbqRow => {
    const roles = [row.unk_label_idx, row.stereotype_group_idx, row.nonstereotype_group_idx];
    if (new Set(roles).size < roles.length) {
      const message = 'this, stereotype_group_idx and nonstereotype_group_idx must name three options';
      addIssue({ code: 'custom', path: ['unk_label_idx'], message });
      return z.NEVER;
    }
    return {
      source: 'multibbq',
      id: `${row.category}-q${row.q_id}-c${row.c_id}`,
      category: row.category,
      reported: row.category,
      template: String(row.q_id),
      ids: { q_id: row.q_id, c_id: row.c_id },
      unmasked: { context: row.ambig_context, options: row.options },
      masked: { context: row.ambig_context_masked, options: row.options_masked },
      sentence: { plain: row.disambig_context, masked: row.disambig_context_masked },
      questions: {
        negative: { text: row.neg_q, correct: row.neg_label_idx },
        nonnegative: { text: row.nonneg_q, correct: row.nonneg_label_idx },
      },
      contexts: ['ambiguous', 'disambiguous'],
      unknown: row.unk_label_idx,
      groups: { stereotype: row.stereotype_group_idx, nonstereotype: row.nonstereotype_group_idx },
      image: row.image_path,
    };
  });

function groupsOf(row: BbqSource): BbqRow['groups'] {
  const { option: stereotype, reason } = targetOf(row);
  if (stereotype === null) return { reason };
  const nonstereotype = [0, 1, 2].find((option) => option !== stereotype && option !== row.unknown)!;
  return { stereotype, nonstereotype };
}

const bbq = z.looseObject({ context: text, question: text }).transform((raw, issues): BbqRow => {
  const read = bbqSource.safeParse(raw);
  if (!read.success) {
    issues.issues.push(
      ...read.error.issues.map((issue) => ({ ...issue, input: raw }) as z.core.$ZodRawIssue),
    );
    return z.NEVER;
  }
  const row = read.data;
  return {
    source: 'bbq',
    id: row.exampleId === null ? `${row.category}-${row.template}` : `${row.category}-${row.exampleId}`,
    category: row.category,
    reported: reportedCategory(row),
    template: row.template,
    ids: { example_id: row.exampleId, question_index: row.template },
    unmasked: { context: raw.context, options: row.options },
    masked: null,
    sentence: null,
    questions: { [row.negative ? 'negative' : 'nonnegative']: { text: raw.question, correct: row.label } },
    contexts: [row.ambiguous ? 'ambiguous' : 'disambiguous'],
    unknown: row.unknown,
    groups: groupsOf(row),
    image: null,
  };
});

/** A row is one of BBQ where it says by tags whom its options name. */
export const schema = z.looseObject({}).transform((raw, issues): BbqRow => {
  const read = (Object.hasOwn(raw, 'answer_info') ? bbq : multibbq).safeParse(raw);
  if (read.success) return read.data;
  issues.issues.push(...read.error.issues.map((issue) => ({ ...issue, input: raw }) as z.core.$ZodRawIssue));
  return z.NEVER;
});
