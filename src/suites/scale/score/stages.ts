/** The stages from results to tables, each from what the one before left on disk; each alone, or all as one. */
import { dirname, join } from 'node:path';
import { AuditError } from '../../../errors.ts';
import { writeCsv } from '../../../report/index.ts';
import type { Scale } from '../data/index.ts';
import { type Aggregated, type AggregateOptions, aggregate } from './aggregate.ts';
import { type AttributeChoice, chooseAttributes } from './attributes/index.ts';
import { counted } from './counting.ts';
import { evaluateTo } from './evaluate.ts';
import { checkFree, confusionFile, FILES } from './files.ts';
import { IngestFindings, type IngestOptions, ingest } from './ingest.ts';
import type { Evaluation } from './manifest.ts';
import { layoutOf, type ModeOptions, participantCell, rulesOf } from './modes.ts';
import { SUCCESS_COLUMNS, type TierSuccess } from './parse-success.ts';
import { readParticipants } from './participants.ts';
import { type Prediction, predictionCells } from './predictions.ts';
import { type Study, studyOf } from './sides.ts';

export interface StageOptions extends ModeOptions {
  /** Subscales that models were asked for; those the scale says unless given. */
  readonly subscales?: readonly string[] | undefined;
  /** Replace what is there. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Ingested {
  /** Paths of the files. */
  readonly files: readonly string[];
  readonly rows: number;
  readonly parsed: number;
  readonly errorsByKind: Readonly<Record<string, number>>;
  /** All tiers first, then each. */
  readonly parseSuccess: readonly TierSuccess[];
  readonly repaired: number;
  readonly remarked: number;
  readonly duplicates: number;
  readonly notes: readonly string[];
}

export type IngestStageOptions = StageOptions &
  Omit<IngestOptions, 'signal'> & {
    /** Confidence level of the intervals of `parseSuccess`; 0.95 unless said. */
    readonly level?: number | undefined;
  };

/**
 * Reads results into the predictions file `out`, and `parse_success.csv` beside it. Errors: those of `ingest`; `output_exists`,
 * `data_empty` for results without rows.
 */
export async function ingestResults(
  scale: Scale,
  results: string,
  out: string,
  options: IngestStageOptions = {},
): Promise<Ingested> {
  const study = studyOf(scale, options.subscales);
  const success = join(dirname(out), FILES.success);
  checkFree('', [out, success], options.force === true);
  const rules = rulesOf(study.sides, options);
  const layout = layoutOf(options);
  const findings = new IngestFindings();
  async function* cells(predictions: AsyncIterable<Prediction>) {
    for await (const prediction of predictions) yield layout.cells(predictionCells(prediction, study.sides));
    // Before the file is put in its place: nothing is left of results without rows.
    if (findings.success.rows === 0)
      throw new AuditError('data_empty', `${results} holds no rows; give results with at least one`, {
        file: results,
      });
  }
  const rows = ingest(results, study.sides, rules, findings, options);
  await writeCsv(out, layout.predictions(study.sides), cells(rows), layout.csv);
  const parseSuccess = findings.success.table(study.tiers, options.level ?? 0.95);
  await writeCsv(success, SUCCESS_COLUMNS, parseSuccess);
  const { repaired, remarked, duplicates } = findings;
  return {
    files: [out, success],
    rows: findings.success.rows,
    parsed: findings.success.parsed,
    errorsByKind: findings.success.errorsByKind(),
    parseSuccess,
    ...{ repaired, remarked, duplicates },
    notes: [...ingestNotes(findings, parseSuccess, rules.refusesDuplicates), ...findings.alike.notes()],
  };
}

function ingestNotes(
  { duplicates, duplicated }: IngestFindings,
  success: readonly TierSuccess[],
  refused: boolean,
): string[] {
  const unknown = success.filter(({ known }) => known === false);
  const counts = refused ? 'only the first counts' : 'as in the original, each counts';
  return [
    ...(duplicates === 0
      ? []
      : [
          `the caseid of ${counted(duplicates, 'row')} is that of an earlier one (${counts}): ${duplicated.join(', ')}`,
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `tiers that the scale does not have count as tiers of their own: ${unknown.map(({ tier, rows }) => `${tier} (${rows})`).join(', ')}`,
        ]),
  ];
}

/** Tiers, and all of them, of which too few answers were read. */
export function belowGate(success: readonly TierSuccess[], least: number): readonly TierSuccess[] {
  return success.filter(({ parse_success: share }) => share < least);
}

export type EvaluateStageOptions = StageOptions &
  AttributeChoice & {
    /** Column of the participants' ids; `participant_id` unless said. */
    readonly participantColumn?: string | undefined;
  };

/** What `evaluatePredictions` writes. */
export const EVALUATION_FILES = [
  FILES.evaluation,
  FILES.generations,
  FILES.truth,
  FILES.covariates,
  FILES.manifest,
];

/** Holds predictions against what participants said; see `evaluateTo` for files and errors. */
export async function evaluatePredictions(
  scale: Scale,
  predictions: string,
  participantsFile: string,
  out: string,
  options: EvaluateStageOptions = {},
): Promise<Evaluation> {
  const study = studyOf(scale, options.subscales);
  checkFree(out, EVALUATION_FILES, options.force === true);
  const participants = await readParticipants(participantsFile, scale, study.sides, {
    idColumn: options.participantColumn,
    cell: participantCell(options),
  });
  const chosen = await chooseAttributes(participants.columns, options);
  const { notes } = chosen;
  const layout = layoutOf(options);
  // The original slices before it cleans: words for what is missing are groups.
  const table = layout.compat ? { ...chosen.table, missing: [] } : chosen.table;
  const evaluation = await evaluateTo(out, predictions, {
    study,
    participants,
    table,
    layout,
    read: rulesOf(study.sides, options).read,
    signal: options.signal,
  });
  return { ...evaluation, notes: [...notes, ...evaluation.notes] };
}

/** What is read, where the tables go, and how answers are scored. */
export type PipelineOptions = IngestStageOptions & EvaluateStageOptions & AggregateOptions;

export interface PipelineResult {
  readonly ingested: Ingested;
  /** Null where no answer could be read: nothing further is made then. */
  readonly evaluation: Evaluation | null;
  readonly aggregated: Aggregated | null;
}

/** All stages into one folder. */
export async function runScalePipeline(
  scale: Scale,
  results: string,
  participants: string,
  out: string,
  options: PipelineOptions = {},
): Promise<PipelineResult> {
  const study = studyOf(scale, options.subscales);
  checkFree(out, pipelineFiles(study), options.force === true);
  const ingested = await ingestResults(scale, results, join(out, FILES.predictions), options);
  if (ingested.parsed === 0) return { ingested, evaluation: null, aggregated: null };
  const evaluation = await evaluatePredictions(
    scale,
    join(out, FILES.predictions),
    participants,
    out,
    options,
  );
  const aggregated = await aggregate(scale, out, out, options);
  return { ingested, evaluation, aggregated };
}

function pipelineFiles({ sides }: Study): string[] {
  return [...Object.values(FILES), ...sides.map(({ name }) => confusionFile(name))];
}
