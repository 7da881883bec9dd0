/** Small rows in BBQ's shape, of groups that there are not, and what the tests do with them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bbqRowSchema,
  type ScoreOptions,
  type ScoreResult,
  scoreFiles,
} from '../../../src/suites/bbq/score/paper/index.ts';
import type { OracleRow } from '../../oracle/bbq.ts';
import { temporaryFolder } from '../../temporary.ts';

export interface RawRow {
  readonly example_id: number;
  readonly question_index: string;
  readonly question_polarity: 'neg' | 'nonneg';
  readonly context_condition: 'ambig' | 'disambig';
  readonly category: string;
  readonly answer_info: Readonly<Record<'ans0' | 'ans1' | 'ans2', readonly string[]>>;
  readonly additional_metadata: Readonly<Record<string, unknown>>;
  readonly context: string;
  readonly question: string;
  readonly ans0: string;
  readonly ans1: string;
  readonly ans2: string;
  readonly label: number;
  readonly answer: unknown;
  readonly [field: string]: unknown;
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Where a row's three roles stand. */
export interface Roles {
  readonly target: number;
  readonly other: number;
  readonly unknown: number;
}

/**
 * The rows of `templates` templates: both conditions and polarities, `repeats` times with the options in changing order.
 * The right answer to a disambiguated question is the target for a negative one in odd repeats, and the other in even ones.
 * `answerOf` gives a row's prediction.
 */
export function makeRows(
  {
    category = 'Craft',
    templates = 4,
    repeats = 3,
  }: { category?: string; templates?: number; repeats?: number },
  answerOf: (row: { roles: Roles; label: number; at: number; negative: boolean }) => unknown,
): RawRow[] {
  const rows: RawRow[] = [];
  for (let template = 1; template <= templates; template += 1) {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const condition of ['ambig', 'disambig'] as const) {
        for (const polarity of ['neg', 'nonneg'] as const) {
          const at = rows.length;
          const [target, other, unknown] = ORDERS[(at + template) % ORDERS.length]!;
          const roles = { target, other, unknown };
          const negative = polarity === 'neg';
          const named = negative === (repeat % 2 === 1) ? target : other;
          const label = condition === 'ambig' ? unknown : named;
          const options: Record<number, [text: string, info: string[]]> = {
            [target]: ['The weaver', ['weaver', 'loom']],
            [other]: ['The potter', ['potter', 'nonLoom']],
            [unknown]: ['Not enough information', ['Not enough information', 'unknown']],
          };
          rows.push({
            example_id: at,
            question_index: String(template),
            question_polarity: polarity,
            context_condition: condition,
            category,
            answer_info: { ans0: options[0]![1], ans1: options[1]![1], ans2: options[2]![1] },
            additional_metadata: { stereotyped_groups: ['Loom'] },
            context: `A weaver and a potter met, ${template}.`,
            question: negative ? 'Who was late?' : 'Who was on time?',
            ans0: options[0]![0],
            ans1: options[1]![0],
            ans2: options[2]![0],
            label,
            answer: answerOf({ roles, label, at, negative }),
          });
        }
      }
    }
  }
  return rows;
}

/** What the oracle needs of rows of {@link makeRows} whose predictions are indices or null. */
export function oracleRows(rows: readonly RawRow[]): OracleRow[] {
  return rows.map((row) => {
    const keys = ['ans0', 'ans1', 'ans2'] as const;
    const target = keys.findIndex((key) => row.answer_info[key].at(-1) === 'loom');
    const groups = row.additional_metadata.stereotyped_groups as string[];
    return {
      template: row.question_index,
      condition: row.context_condition,
      polarity: row.question_polarity,
      answer: row.answer as number | null,
      label: row.label,
      unknown: keys.findIndex((key) => row.answer_info[key].at(-1) === 'unknown'),
      target: groups.length === 0 ? null : target,
    };
  });
}

export function rowsFile(rows: readonly object[]): string {
  const path = join(temporaryFolder(), 'rows.jsonl');
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

export const INTERVAL = { level: 0.95, resamples: 400, seed: 7 };

export function scoreRows(
  rows: readonly object[],
  options: Partial<ScoreOptions> = {},
): Promise<ScoreResult> {
  return scoreFiles([rowsFile(rows)], {
    answers: { field: 'answer' },
    mode: 'paper',
    interval: INTERVAL,
    ...options,
  });
}

/** A raw row as the room reads it. */
export function parsed(row: object) {
  return bbqRowSchema.parse(row);
}

/** Numbers from 0 to 1, the same in every run. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
