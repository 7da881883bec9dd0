/** A result file of a scale: `caseid,generated_text`, where another program or an earlier run has left one. */
import type { MeasuredRow } from '../../../contract/index.ts';
import { openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { CASE_JOINT } from '../data/index.ts';

export const RESULT_COLUMNS = ['caseid', 'generated_text'] as const;
export const PERSONA_COLUMNS = ['caseid', 'participant_id', 'tier', 'missing', 'user'] as const;

/**
 * The texts of a result file by the ids of their cases, as rows of a journal. Throws `data_malformed` for a file without these columns, for a
 * case without an id and for one that is there twice: whichever text were taken, another would be lost.
 */
export async function readScaleResults(
  path: string,
): Promise<Map<string, Pick<MeasuredRow, 'slices' | 'result'>>> {
  const texts = new Map<string, { text: string; line: number }>();
  for await (const { value, error, index, line } of openDataset(path, { format: 'csv' }).rows()) {
    if (error !== undefined) throw error;
    const cells = value as Readonly<Record<string, string>>;
    const missing = RESULT_COLUMNS.find((column) => !Object.hasOwn(cells, column));
    const bad = (what: string) =>
      new AuditError('data_malformed', `${path}: row ${index + 1} (line ${line}) ${what}`, {
        file: path,
        line,
        index,
      });
    if (missing !== undefined)
      throw bad(`has no ${missing}; a result file has the columns ${RESULT_COLUMNS.join(', ')}`);
    const id = cells.caseid!.trim();
    if (id === '') throw bad('has no caseid; give it one, or take the row out');
    const before = texts.get(id);
    if (before !== undefined)
      throw bad(`has the caseid ${id} of line ${before.line} too; take one of them out`);
    texts.set(id, { text: cells.generated_text!, line });
  }
  return new Map([...texts].map(([id, { text }]) => [id, takenOver(id, text)]));
}

function takenOver(id: string, text: string): Pick<MeasuredRow, 'slices' | 'result'> {
  const at = id.lastIndexOf(CASE_JOINT);
  return {
    slices: {
      participant_id: at === -1 ? null : id.slice(0, at),
      tier: at === -1 ? null : id.slice(at + CASE_JOINT.length),
    },
    result: { generated_text: text, taken_over: true },
  };
}
