/** One result file to its scores: streamed row by row, nothing kept but counts and the answers' indices. */
import { type DatasetRow, openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { parseLetter } from '../../../parse/index.ts';
import type { JudgedRow } from './fields.ts';
import { requireName, type Setting, scoredName } from './result-name.ts';
import { optionCount, type ResultRow, readRow, templateOf } from './row.ts';
import type { Scoring } from './scoring.ts';
import { type GroupScores, Tally } from './tally.ts';

/** Scores of one file, just made or read back. */
export interface ScoredFile {
  /** Path of the scored copy, relative to where the results lie, with `/`. */
  readonly name: string;
  readonly setting: Setting;
  /** The parser that read the answers; null where that is not known. */
  readonly parser: string | null;
  readonly overall: GroupScores;
  /** In the order in which the categories come in the rows. */
  readonly byCategory: ReadonlyMap<string, GroupScores>;
}

export interface FreshScores extends ScoredFile {
  /** The answer of each row as an index of its options; null where it is unparsed. */
  readonly answers: readonly (number | null)[];
}

/** Where the rows of a result file are, where it is no list. */
const ROWS_AT = [['data']];

/**
 * Scores the result file at `path`, which `name` is the path of relative to where the results lie. Throws what reading
 * it throws, `bad_argument` for a name that says no split, `row_invalid` for the first row that cannot be scored,
 * `data_empty` for a file without rows.
 */
export async function scoreFile(path: string, name: string, scoring: Scoring): Promise<FreshScores> {
  const { setting } = requireName(name);
  const overall = new Tally(scoring.fields);
  const byCategory = new Map<string, Tally>();
  const answers: (number | null)[] = [];
  for await (const row of resultRows(path)) {
    const read = readRow(row, setting);
    if (read instanceof AuditError) throw read;
    const judged = judge(read, scoring);
    answers.push(judged.answer);
    const template = templateOf(read);
    overall.add(judged, setting, template);
    const tally = byCategory.get(read.category) ?? new Tally(scoring.fields);
    tally.add(judged, setting, template);
    byCategory.set(read.category, tally);
  }
  if (answers.length === 0) {
    throw new AuditError('data_empty', `${path} holds no rows; give a result file with rows`, { file: path });
  }
  return {
    name: scoredName(name),
    setting,
    parser: scoring.parser,
    overall: overall.scores(),
    byCategory: new Map([...byCategory].map(([category, tally]) => [category, tally.scores()])),
    answers,
  };
}

/** The rows of a result file: one JSON document, or JSON Lines where the name says so. */
export function resultRows(path: string): AsyncGenerator<DatasetRow, void, undefined> {
  const format = isLines(path) ? 'jsonl' : 'json';
  return openDataset(path, { format, rowsAt: ROWS_AT }).rows();
}

export function isLines(path: string): boolean {
  return /\.jsonl$/i.test(path);
}

/** The answer of a row as it is read, and what its options mean. */
export function judge(row: ResultRow, scoring: Pick<Scoring, 'parser' | 'tailSlice'>): JudgedRow {
  return {
    ...answerOf(row, scoring),
    unknown: row.unk_label_idx,
    stereotype: row.stereotype_group_idx,
    nonstereotype: row.nonstereotype_group_idx,
    correct: row.correct_option_idx ?? null,
  };
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function answerOf(
  row: ResultRow,
  { parser, tailSlice }: Pick<Scoring, 'parser' | 'tailSlice'>,
): Pick<JudgedRow, 'answer' | 'reason'> {
  if (row.pred === -1) return { answer: null, reason: 'no_answer' };
  if (typeof row.pred === 'number') return { answer: row.pred, reason: null };
  const { index, reason } = parseLetter(row.pred, {
    labels: LETTERS.slice(0, optionCount(row)),
    unknownIndex: row.unk_label_idx,
    parser,
    tailSlice,
    ...(row.options ? { options: row.options } : {}),
  });
  return { answer: index, reason };
}
