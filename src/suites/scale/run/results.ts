/** A result file of a scale: `caseid,generated_text`, made of the journal of a run, or read where it is there already. */
import { openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { writeCsv } from '../../../report/index.ts';
import { type JournalEntry, readJournal } from '../../../run/journal.ts';

/** The columns of the journal that say which case a line is of. */
export const CASE_COLUMNS = ['participant_id', 'tier'] as const;

const COLUMNS = ['caseid', 'generated_text'] as const;

/** The number of the line that counts, by the id of the case: the last one, since what failed may be asked again. */
export async function lastLines(
  journal: string,
): Promise<Map<string, { readonly line: number; readonly ok: boolean }>> {
  const last = new Map<string, { line: number; ok: boolean }>();
  let line = 0;
  for await (const { id, status } of readJournal(journal, CASE_COLUMNS)) {
    last.set(id!, { line, ok: status === 'ok' });
    line += 1;
  }
  return last;
}

async function* rowsOf(journal: string): AsyncGenerator<Record<(typeof COLUMNS)[number], string>> {
  const last = await lastLines(journal);
  let line = 0;
  for await (const entry of readJournal(journal, CASE_COLUMNS)) {
    if (entry.status === 'ok' && last.get(entry.id!)!.line === line) {
      yield { caseid: entry.id!, generated_text: String(entry.result.generated_text) };
    }
    line += 1;
  }
}

/** Writes the texts that there are, in the order in which they were asked for; what was at `path` is replaced. */
export async function writeScaleResults(path: string, journal: string): Promise<void> {
  await writeCsv(
    path,
    COLUMNS.map((key) => ({ key })),
    rowsOf(journal),
  );
}

/**
 * The texts of a result file by the ids of their cases. Throws `data_malformed` for a file without these columns, for a
 * case without an id and for one that is there twice: whichever text were taken, another would be lost.
 */
export async function readScaleResults(path: string): Promise<Map<string, string>> {
  const texts = new Map<string, { text: string; line: number }>();
  for await (const { value, error, index, line } of openDataset(path, { format: 'csv' }).rows()) {
    if (error !== undefined) throw error;
    const cells = value as Readonly<Record<string, string>>;
    const missing = COLUMNS.find((column) => !Object.hasOwn(cells, column));
    const bad = (what: string) =>
      new AuditError('data_malformed', `${path}: row ${index + 1} (line ${line}) ${what}`, {
        file: path,
        line,
        index,
      });
    if (missing !== undefined)
      throw bad(`has no ${missing}; a result file has the columns ${COLUMNS.join(', ')}`);
    const id = cells.caseid!.trim();
    if (id === '') throw bad('has no caseid; give it one, or take the row out');
    const before = texts.get(id);
    if (before !== undefined)
      throw bad(`has the caseid ${id} of line ${before.line} too; take one of them out`);
    texts.set(id, { text: cells.generated_text!, line });
  }
  return new Map([...texts].map(([id, { text }]) => [id, text]));
}

/** A text that was there already, as a line of the journal. */
export function takenOver(row: number, id: string, joint: string, text: string): JournalEntry {
  const at = id.lastIndexOf(joint);
  const slices = {
    participant_id: at === -1 ? null : id.slice(0, at),
    tier: at === -1 ? null : id.slice(at + joint.length),
  };
  return { row, id, status: 'ok', slices, result: { generated_text: text, taken_over: true } };
}
