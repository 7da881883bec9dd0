/** Made-up result files: balanced rows, and answers by a policy whose scores are known beforehand. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface MadeRow {
  category: string;
  options?: string[];
  pred?: unknown;
  unk_label_idx: number;
  stereotype_group_idx: number;
  nonstereotype_group_idx: number;
  correct_option_idx?: number | null;
}

export interface Asked {
  readonly name: string;
  readonly negative: boolean;
  readonly disambiguated: boolean;
}

export const ASKED: readonly Asked[] = ['visual_language', 'visual_only'].flatMap((split) =>
  ['negative', 'nonnegative'].flatMap((polarity) =>
    (split === 'visual_only' ? ['ambiguous'] : ['ambiguous', 'disambiguous']).map((context) => ({
      name: `M_1B_${split}_${polarity}_${context}.json`,
      negative: polarity === 'negative',
      disambiguated: context === 'disambiguous',
    })),
  ),
);

/** Rows whose right answer, where the context tells it, is each of the two groups equally often. */
export function balancedRows(disambiguated: boolean, category = 'gender', count = 12): MadeRow[] {
  return Array.from({ length: count }, (_, at) => {
    const unk = at % 3;
    const [stereotype, nonstereotype] = [(unk + 1) % 3, (unk + 2) % 3] as [number, number];
    return {
      category,
      unk_label_idx: unk,
      stereotype_group_idx: stereotype,
      nonstereotype_group_idx: nonstereotype,
      correct_option_idx: disambiguated ? (at % 2 === 0 ? stereotype : nonstereotype) : unk,
    };
  });
}

export type Policy = (row: MadeRow, asked: Asked) => unknown;

export const letter = (index: number) => 'ABC'[index]!;
export const alwaysUnknown: Policy = (row) => letter(row.unk_label_idx);
export const alwaysBiased: Policy = (row, { negative }) =>
  letter(negative ? row.stereotype_group_idx : row.nonstereotype_group_idx);
export const alwaysAnti: Policy = (row, { negative }) =>
  letter(negative ? row.nonstereotype_group_idx : row.stereotype_group_idx);
export const noAnswer: Policy = () => 'I would rather talk about the weather.';

/** The six files of a model, answered by the policy, in `folder`. */
export function writeModel(folder: string, policy: Policy, categories: readonly string[] = ['gender']): void {
  for (const asked of ASKED) {
    const rows = categories.flatMap((category) => balancedRows(asked.disambiguated, category));
    write(join(folder, asked.name), { data: rows.map((row) => ({ ...row, pred: policy(row, asked) })) });
  }
}

export function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}
