/** The file between ingest and evaluation: a row for each row of the results, those with errors too. */
import { openDataset } from '../../../dataset/index.ts';
import type { CsvColumn, Row } from '../../../report/index.ts';
import { type Cells, numberIn, requireColumns, textIn } from './cells.ts';
import type { Side } from './sides.ts';

export interface Prediction {
  /** As it was given, spaces around it apart. */
  readonly caseId: string;
  /** Null where the case id cannot be split. */
  readonly participant: string | null;
  readonly tier: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  /** The model's text. */
  readonly raw: string;
  /** `Type: message`; null for a row that counts. */
  readonly error: string | null;
  readonly errorKind: string | null;
  /** By side. A row that is not counted for another reason than its text (a second row of a case id) has them too. */
  readonly scores: readonly (number | null)[];
  readonly bands: readonly (string | null)[];
  /** Repairs and remarks, each one after the other. */
  readonly repaired: string | null;
  readonly notes: string | null;
}

/** Columns of the original, in its order. */
export function originalColumns(sides: readonly Side[]): CsvColumn[] {
  const fixed = ['caseid', 'participant_id', 'tier', 'provider', 'model', 'raw_response', 'error'];
  return [...fixed, ...sides.map(({ pred }) => pred), ...sides.map(({ predBand }) => predBand)].map(
    (key) => ({
      key,
    }),
  );
}

/** Those of this program: what was repaired and remarked beside them. */
export function predictionColumns(sides: readonly Side[]): CsvColumn[] {
  return [...originalColumns(sides), { key: 'error_kind' }, { key: 'repaired' }, { key: 'notes' }];
}

export function predictionCells(prediction: Prediction, sides: readonly Side[]): Row {
  return {
    caseid: prediction.caseId,
    participant_id: prediction.participant,
    tier: prediction.tier,
    provider: prediction.provider,
    model: prediction.model,
    raw_response: prediction.raw,
    error: prediction.error,
    ...Object.fromEntries(sides.map(({ pred }, side) => [pred, prediction.scores[side]])),
    ...Object.fromEntries(sides.map(({ predBand }, side) => [predBand, prediction.bands[side]])),
    error_kind: prediction.errorKind,
    repaired: prediction.repaired,
    notes: prediction.notes,
  };
}

/**
 * Reads predictions back, this program's and the original's, row by row. Errors: those of `openDataset`; `data_malformed` for a
 * missing column and for a row that cannot be read: the file is a program's, so that nothing in it may be passed over.
 */
export async function* readPredictions(
  file: string,
  sides: readonly Side[],
): AsyncGenerator<Prediction, void, undefined> {
  let checked = false;
  for await (const { value, error, line } of openDataset(file, { format: 'csv' }).rows()) {
    if (error !== undefined) throw error;
    const cells = value as Cells;
    if (!checked) {
      const needed = originalColumns(sides).map(({ key }) => key);
      const optional = new Set([
        'provider',
        'model',
        'raw_response',
        ...sides.map(({ predBand }) => predBand),
      ]);
      requireColumns(
        Object.keys(cells),
        needed.filter((key) => !optional.has(key)),
        file,
        'give predictions as "ingest scale" writes them, of the same subscales',
      );
      checked = true;
    }
    const place = { file, line };
    yield {
      caseId: cells.caseid ?? '',
      participant: textIn(cells, 'participant_id'),
      tier: textIn(cells, 'tier'),
      provider: textIn(cells, 'provider'),
      model: textIn(cells, 'model'),
      raw: cells.raw_response ?? '',
      error: textIn(cells, 'error'),
      errorKind: textIn(cells, 'error_kind'),
      scores: sides.map(({ pred }) => numberIn(cells, pred, place)),
      bands: sides.map(({ predBand }) => textIn(cells, predBand)),
      repaired: textIn(cells, 'repaired'),
      notes: textIn(cells, 'notes'),
    };
  }
}
