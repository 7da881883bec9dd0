/** The files of an administered questionnaire, made of its journal alone: the same journal always gives the same bytes. */

import { type Estimate, ends } from '../../../../numbers/estimate.ts';
import { FlatColumns, flatten, writeCsv, writeJson } from '../../../../report/index.ts';
import type { RunFolder } from '../../../../run/folder.ts';
import { type JournalEntry, readJournal } from '../../../../run/journal.ts';
import type { ItemAnswer, Questionnaire } from '../../ask/index.ts';
import type { Scale } from '../../data/index.ts';
import { type AnsweredItem, type QuestionnaireStatistics, questionnaireStatistics } from './statistics.ts';

/** What of a journal's line says which item in which order it is. */
export const ITEM_COLUMNS = ['item', 'order'] as const;

export const FILES = {
  scores: 'scores.csv',
  items: 'items.csv',
  reliability: 'reliability.csv',
  orders: 'order_effects.csv',
} as const;

/** The journal's lines in order. */
export async function readItems(journal: string): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of readJournal(journal, ITEM_COLUMNS)) entries.push(entry);
  return entries;
}

function answeredOf(entry: JournalEntry): AnsweredItem {
  const { item, order } = entry.slices;
  const result = entry.status === 'ok' ? (entry.result as unknown as ItemAnswer) : null;
  return { item: item!, order: Number(order), result };
}

/** The columns of a number: itself, its interval, what it rests on. */
function figureCells(name: string, { value, ci, n, reason }: Estimate) {
  return {
    [name]: value,
    ...ends(ci, `${name}_low`, `${name}_high`),
    [`${name}_n`]: n,
    [`${name}_reason`]: reason,
  };
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

async function writeTable(file: string, rows: readonly Row[]): Promise<void> {
  const keys = Object.keys(rows[0] ?? {});
  if (keys.length > 0)
    await writeCsv(
      file,
      keys.map((key) => ({ key })),
      rows,
    );
}

/** Writes every file that is made of the journal, and returns what they say. */
export async function writeQuestionnaire(
  folder: RunFolder,
  scale: Scale,
  questionnaire: Questionnaire,
  level: number,
): Promise<QuestionnaireStatistics> {
  const entries = await readItems(folder.journal);
  const statistics = questionnaireStatistics(scale, questionnaire, entries.map(answeredOf), level);
  await writeRows(folder.rowsCsv, entries);
  const { scores, items, subscales, orderEffects } = statistics;
  await writeTable(
    folder.list(FILES.scores),
    scores.map((one) => ({ ...one })),
  );
  await writeTable(
    folder.list(FILES.items),
    items.map((one) => ({ ...one })),
  );
  await writeTable(
    folder.list(FILES.reliability),
    subscales.map(({ score, alpha, ...rest }) => ({
      ...rest,
      ...figureCells('score', score),
      ...figureCells('alpha', alpha),
    })),
  );
  await writeTable(folder.list(FILES.orders), [
    ...orderEffects.differences.map(({ of, pValue, ...figure }) => ({
      effect: 'difference',
      of,
      ...figureCells('value', figure),
      p_value: pValue,
    })),
    ...(['changed', 'disagreement'] as const).map((effect) => ({
      effect,
      of: 'answers',
      ...figureCells('value', orderEffects[effect]),
      p_value: null,
    })),
    ...orderEffects.positions.map((value, at) => ({
      effect: 'position',
      of: String(at + 1),
      ...figureCells('value', { value, ci: null, n: statistics.counts.answered, reason: null }),
      p_value: null,
    })),
  ]);
  await writeJson(folder.metrics, { level, ...statistics });
  return statistics;
}

async function writeRows(file: string, entries: readonly JournalEntry[]): Promise<void> {
  const columns = new FlatColumns();
  for (const entry of entries) if (entry.status === 'ok') columns.add(entry.result);
  const head = ['row', 'id', 'status', ...ITEM_COLUMNS];
  const keys = [...head, ...columns.names(), 'reason', 'message'];
  const rows = entries.map((entry) => ({
    row: entry.row,
    id: entry.id,
    status: entry.status,
    ...entry.slices,
    ...(entry.status === 'ok' ? flatten(entry.result) : {}),
    ...(entry.status === 'failed' ? { reason: entry.error.code, message: entry.error.message } : {}),
  }));
  await writeCsv(
    file,
    [...new Set(keys)].map((key) => ({ key })),
    rows,
  );
}
