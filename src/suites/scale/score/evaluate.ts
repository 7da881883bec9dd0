/** The stage from predictions and participants to rows that can be counted, each with what it was compared with. */
import { join } from 'node:path';
import { AuditError } from '../../../errors.ts';
import { type CsvFile, openCsv, type Row, writeCsv, writeJson } from '../../../report/index.ts';
import type { AnswerReader } from './answer.ts';
import { type AttributeTable, attributeValues, cellReader } from './attributes/index.ts';
import { counted, some } from './counting.ts';
import { evaluationCells } from './evaluation-file.ts';
import { FILES } from './files.ts';
import { GENERATION_COLUMNS, generationScores } from './generation-scores.ts';
import type { Layout } from './layout.ts';
import { type Evaluation, manifestOf } from './manifest.ts';
import { type Evaluated, evaluate, STATUSES, type Status } from './merge.ts';
import type { Participant, Participants } from './participants.ts';
import { readPredictions } from './predictions.ts';
import type { Study } from './sides.ts';

export interface EvaluateParts {
  readonly study: Study;
  readonly participants: Participants;
  readonly table: AttributeTable;
  readonly layout: Layout;
  /** Reads texts again whose case id kept them from being read. */
  readonly read: AnswerReader;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes evaluation.csv, generation_scores.csv, ground_truth.csv, covariates.csv and evaluation.json into `out`, in memory that
 * grows with the participants alone. Errors: those of `readPredictions`; `data_empty` for predictions without rows, `cancelled`.
 */
export async function evaluateTo(
  out: string,
  predictions: string,
  parts: EvaluateParts,
): Promise<Evaluation> {
  const { study, participants, table, layout } = parts;
  const { sides } = study;
  const notes = [...participantNotes(participants)];
  notes.push(...(await writeParticipants(out, parts)));
  const tally = new EvaluationTally(participants);
  const columns = layout.evaluation(sides, participants.about);
  const cellsOf = evaluationCells(sides, participants.about);
  const files: CsvFile[] = [];
  const open = async (...args: Parameters<typeof openCsv>) => {
    const file = await openCsv(...args);
    files.push(file);
    return file;
  };
  try {
    const evaluation = await open(join(out, FILES.evaluation), columns, layout.csv);
    const generations = await open(join(out, FILES.generations), GENERATION_COLUMNS, layout.csv);
    let index = 0;
    for await (const prediction of readPredictions(predictions, sides)) {
      if (parts.signal?.aborted) throw new AuditError('cancelled', 'stopped between two predictions');
      const { participant: id } = prediction;
      const row = evaluate(prediction, id === null ? null : (participants.byId.get(id) ?? null), sides);
      tally.add(row);
      await evaluation.write(layout.cells(cellsOf(row)));
      await generations.write(layout.cells(generationScores(row, index, sides, parts.read)));
      index += 1;
    }
    if (index === 0)
      throw new AuditError('data_empty', `${predictions} holds no rows`, { file: predictions });
    for (const file of files) await file.commit();
  } finally {
    for (const file of files) await file.discard();
  }
  notes.push(...tally.notes());
  const { rows, statuses, disagreeing } = tally;
  const found: Evaluation = { rows, statuses, disagreeing, notes };
  await writeJson(join(out, FILES.manifest), manifestOf(study, table, { ...found, compat: layout.compat }));
  return found;
}

class EvaluationTally {
  rows = 0;
  disagreeing = 0;
  readonly statuses: Record<Status, number>;
  readonly #unmatched = new Set<string>();
  readonly #predicted = new Set<string>();
  readonly #participants: Participants;

  constructor(participants: Participants) {
    this.#participants = participants;
    this.statuses = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  }

  add({ prediction, participant, status, sides }: Evaluated): void {
    this.rows += 1;
    this.statuses[status] += 1;
    this.disagreeing += sides.filter(({ bandDisagrees }) => bandDisagrees === true).length;
    if (participant !== null) this.#predicted.add(participant.id);
    else if (prediction.participant !== null) this.#unmatched.add(prediction.participant);
  }

  notes(): string[] {
    const { unmatched, no_truth: noTruth } = this.statuses;
    const without = [...this.#participants.byId.keys()].filter((id) => !this.#predicted.has(id));
    const of = `of ${counted(this.rows, 'row')}`;
    return [
      ...(this.#unmatched.size === 0
        ? []
        : [
            `${unmatched} ${of} belong to nobody in ${this.#participants.file} and count nowhere: ${some(this.#unmatched)}`,
          ]),
      ...(noTruth === 0
        ? []
        : [
            `${noTruth} ${of} belong to participants without a score, an item of theirs being missing: they count nowhere`,
          ]),
      ...(without.length === 0
        ? []
        : [`no row belongs to ${counted(without.length, 'participant')}: ${some(without)}`]),
      ...(this.disagreeing === 0
        ? []
        : [
            `${counted(this.disagreeing, 'band')} that models named contradict their own scores; the scores decide`,
          ]),
    ];
  }
}

function participantNotes({ file, repeated, unusable, faults }: Participants): string[] {
  return [
    ...(repeated.length === 0
      ? []
      : [`${file} has several rows of one id; the first counts: ${some(repeated)}`]),
    ...(unusable === 0
      ? []
      : [`${counted(unusable, 'row')} of ${file} cannot be used; the first: ${faults[0]}`]),
  ];
}

/** What participants said and what they are sliced by, in files of their own; gives what of the attributes is odd. */
async function writeParticipants(
  out: string,
  { study: { sides }, participants, table, layout }: EvaluateParts,
): Promise<string[]> {
  const rows = layout.repeats ? participants.rows : [...participants.byId.values()];
  const truth = [
    'participant_id',
    ...sides.map((side) => side.truth),
    ...sides.map((side) => side.truthBand),
  ];
  await writeCsv(join(out, FILES.truth), truth.map(asColumn), truthRows(rows, sides, layout), layout.csv);
  const cellOf = cellReader(table);
  const own = layout.covariates(table);
  const cells = rows.map((participant) => participant.cells);
  const values = own.map((attribute) => attributeValues(attribute, cells, cellOf));
  const covariates = rows.map(({ id }, index): Row => {
    const entries = own.map(({ name, making }, at) => {
      const { group, rank } = values[at]!.values[index]!;
      return [name, making.kind === 'number' ? rank : group] as const;
    });
    return { participant_id: id, ...Object.fromEntries(entries) };
  });
  const columns = ['participant_id', ...own.map(({ name }) => name)].map(asColumn);
  await writeCsv(join(out, FILES.covariates), columns, covariates, layout.csv);
  return own.flatMap(({ name, column }, at) => {
    const { unknown } = values[at]!;
    return unknown.length === 0 ? [] : [`${name} does not know these cells of "${column}": ${some(unknown)}`];
  });
}

function* truthRows(
  rows: readonly Participant[],
  sides: Study['sides'],
  { cells }: Layout,
): Generator<Row, void, undefined> {
  for (const { id, scores, bands } of rows) {
    yield cells({
      participant_id: id,
      ...Object.fromEntries(sides.map((side, index) => [side.truth, scores[index]])),
      ...Object.fromEntries(sides.map((side, index) => [side.truthBand, bands[index]])),
    });
  }
}

const asColumn = (key: string) => ({ key });
