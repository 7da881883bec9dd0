/** What a teacher answered to threads, as JSON Lines: rationales and responses for retrieved examples. */
import { z } from 'zod';
import { checkRow, openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import type { RulesPair } from '../data/pair.ts';
import type { ThreadType } from '../thread-type.ts';
import type { Trace } from './examples.ts';

const row = z.looseObject({
  /** SPLIT:ID:TYPE */
  target_key: z.string().min(1),
  submission_id: z.string(),
  /** The label that the teacher chose. */
  prediction: z.string(),
  rationale: z.string().default(''),
  response: z.string(),
});

export class Traces {
  readonly #rows: ReadonlyMap<string, z.infer<typeof row>>;

  private constructor(rows: ReadonlyMap<string, z.infer<typeof row>>) {
    this.#rows = rows;
  }

  /** Throws `row_invalid` for a row that is at fault or there twice, and what reading throws. */
  static async read(file: string): Promise<Traces> {
    const rows = new Map<string, z.infer<typeof row>>();
    for await (const raw of openDataset(file).rows()) {
      const checked = checkRow(row, raw);
      if (!checked.ok) throw checked.error;
      const { target_key: key } = checked.value;
      if (rows.has(key)) {
        const message = `${file}: line ${raw.line}: the trace of ${key} is there twice; give each once`;
        throw new AuditError('row_invalid', message, { file, line: raw.line, key });
      }
      rows.set(key, checked.value);
    }
    return new Traces(rows);
  }

  /** Null where there is none, and where it is about another submission or chose another answer than the right one. */
  of(key: string, pair: RulesPair, type: ThreadType): Trace | null {
    const found = this.#rows.get(key);
    const fits =
      found?.submission_id === pair.submission.id && found.prediction === pair.threads[type].correct;
    return fits ? { rationale: found.rationale.trim(), response: found.response.trim() } : null;
  }
}
