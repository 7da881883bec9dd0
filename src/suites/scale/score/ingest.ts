/** A file of results, each a case id with a model's text, to predictions: every row of it is a row of them. */
import { type DatasetRow, openDataset } from '../../../dataset/index.ts';
import { AuditError } from '../../../errors.ts';
import { Alike } from '../../../report/index.ts';
import { type Answer, type AnswerReader, describeFailure, type Failure, failure } from './answer.ts';
import { normaliseId, parseCaseId } from './case-id.ts';
import { requireColumns } from './cells.ts';
import { SuccessTally } from './parse-success.ts';
import type { Prediction } from './predictions.ts';
import type { Side } from './sides.ts';

/** How this program and the original differ in what they take for a prediction. */
export interface IngestRules {
  readonly read: AnswerReader;
  /** What a cell of the results says. */
  readonly cell: (text: string) => string;
  /** Why a case id cannot be split. */
  readonly badCaseId: (problem: string) => Failure;
  /** Is a second row of a case id an error? */
  readonly refusesDuplicates: boolean;
  /** Do spaces at the ends of participant and tier count? */
  readonly keepsSpaces: boolean;
  /** Who answered, where the results do not say. */
  readonly provider: string | null;
}

export interface IngestOptions {
  /** Columns of the case ids and of the texts; `caseid` and `generated_text` unless said. */
  readonly idColumn?: string | undefined;
  readonly textColumn?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What ingesting found beside the predictions; full once all rows were taken. */
export class IngestFindings {
  readonly success = new SuccessTally();
  /** Rows whose case id an earlier one has, and the first of these ids. */
  duplicates = 0;
  /** Scores that are the same for all participants. */
  readonly alike = new Alike();
  readonly duplicated: string[] = [];
  /** Rows that were read after a repair, and rows with remarks. */
  repaired = 0;
  remarked = 0;
}

const SHOWN_DUPLICATES = 5;

/**
 * The predictions of `results`, in its order, in memory that grows with the case ids alone. A row that fails keeps its text.
 * Errors: those of `openDataset`; `data_malformed` for results without one of the two columns, `cancelled`.
 */
export async function* ingest(
  results: string,
  sides: readonly Side[],
  rules: IngestRules,
  findings: IngestFindings,
  { idColumn = 'caseid', textColumn = 'generated_text', signal }: IngestOptions = {},
): AsyncGenerator<Prediction, void, undefined> {
  const seen = new Map<string, number>();
  let checked = false;
  for await (const row of openDataset(results).rows()) {
    if (signal?.aborted) throw new AuditError('cancelled', 'stopped between two rows of the results');
    if (!checked && row.error === undefined) {
      const columns = Object.keys(row.value as object);
      const remedy = `it has ${columns.join(', ')}; name them by --id-column and --text-column`;
      requireColumns(columns, [idColumn, textColumn], results, remedy);
      checked = true;
    }
    const prediction = predictionOf(row, sides, rules, { idColumn, textColumn });
    const judged = judgeId(prediction, row.index, seen, rules, findings);
    findings.success.add(judged);
    if (judged.error === null) findings.alike.add(scoresOf(judged, sides));
    if (judged.repaired !== null) findings.repaired += 1;
    if (judged.notes !== null) findings.remarked += 1;
    yield judged;
  }
}

/** The scores of a row by their names, with what is at the end of the range named. */
function scoresOf({ scores }: Prediction, sides: readonly Side[]): Record<string, string | null> {
  return Object.fromEntries(
    sides.map(({ pred, subscale: { min, max } }, at) => {
      const score = scores[at] ?? null;
      const end =
        score === min ? ', the lowest of the scale' : score === max ? ', the highest of the scale' : '';
      return [pred, score === null ? null : `${score}${end}`];
    }),
  );
}

function predictionOf(
  { value, error }: DatasetRow,
  sides: readonly Side[],
  rules: IngestRules,
  columns: { readonly idColumn: string; readonly textColumn: string },
): Prediction {
  if (error !== undefined) {
    return { ...EMPTY, ...unread(sides), ...failed(failure('unreadable_row', error.message)) };
  }
  const cells = value as Readonly<Record<string, unknown>>;
  const caseId = normaliseId(rules.cell(asText(cells[columns.idColumn])));
  const raw = rules.cell(asText(cells[columns.textColumn]));
  const own = {
    ...EMPTY,
    caseId,
    raw,
    provider: nonEmpty(cells.provider) ?? rules.provider,
    model: nonEmpty(cells.model),
  };
  const id = parseCaseId(caseId);
  if (!id.ok) return { ...own, ...unread(sides), ...failed(rules.badCaseId(id.problem)) };
  const part = (text: string) => (rules.keepsSpaces ? text : text.trim());
  const answer = rules.read(raw);
  return {
    ...own,
    participant: part(id.participant),
    tier: part(id.tier),
    ...answered(answer),
  };
}

const EMPTY = {
  caseId: '',
  participant: null,
  tier: null,
  provider: null,
  model: null,
  raw: '',
  repaired: null,
  notes: null,
} as const;

function unread(sides: readonly Side[]): Pick<Prediction, 'scores' | 'bands'> {
  return { scores: sides.map(() => null), bands: sides.map(() => null) };
}

function failed(why: Failure): Pick<Prediction, 'error' | 'errorKind'> {
  return { error: describeFailure(why), errorKind: why.kind };
}

function answered({ scores, bands, failure: why, repairs, notes }: Answer) {
  return {
    scores,
    bands,
    error: why === null ? null : describeFailure(why),
    errorKind: why?.kind ?? null,
    repaired: repairs.length === 0 ? null : repairs.join(' '),
    notes: notes.length === 0 ? null : notes.join('; '),
  };
}

/** The row, or an error where its case id is that of an earlier row: each answer counts once. */
function judgeId(
  prediction: Prediction,
  index: number,
  seen: Map<string, number>,
  { refusesDuplicates }: IngestRules,
  findings: IngestFindings,
): Prediction {
  const { participant, tier } = prediction;
  if (participant === null || tier === null) return prediction;
  const key = JSON.stringify([participant, tier]);
  const earlier = seen.get(key);
  if (earlier === undefined) {
    seen.set(key, index);
    return prediction;
  }
  findings.duplicates += 1;
  if (findings.duplicated.length < SHOWN_DUPLICATES) findings.duplicated.push(prediction.caseId);
  if (!refusesDuplicates) return prediction;
  const message = `row ${earlier + 1} of the results has the caseid '${prediction.caseId}' already; only that row counts`;
  return { ...prediction, ...failed(failure('duplicate_caseid', message)) };
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function nonEmpty(value: unknown): string | null {
  const text = asText(value);
  return text.trim() === '' ? null : text;
}
