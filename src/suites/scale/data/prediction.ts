/** The JSON that a model must answer with: its keys, what each may hold, and the same as a schema of answers. */
import { AuditError } from '../../../errors.ts';
import { bandNames, NO_LABELS } from './bands.ts';
import type { Scale, Subscale } from './scale.ts';

/** A key of the answer: the score of a subscale, which must be there, or its band, which may be left out. */
export type PredictionKey =
  | {
      readonly kind: 'score';
      readonly key: string;
      readonly subscale: string;
      /** A whole number of these two and between them. */
      readonly min: number;
      readonly max: number;
    }
  | {
      readonly kind: 'band';
      readonly key: string;
      readonly subscale: string;
      readonly bands: readonly string[];
    };

/**
 * The subscales that a model is asked for, in the order of the scale: `asked` by name, or those the scale says.
 * Throws `bad_argument` for a name that is no subscale, for none, and for one given twice.
 */
export function askedSubscales(scale: Scale, asked: readonly string[] = scale.asked): Subscale[] {
  const known = Object.keys(scale.subscales);
  const wrong = asked.find((name, index) => !known.includes(name) || asked.indexOf(name) !== index);
  if (asked.length === 0 || wrong !== undefined) {
    const what =
      wrong === undefined
        ? 'no subscale is asked for'
        : known.includes(wrong)
          ? `the subscale ${wrong} is asked for twice`
          : `scale ${scale.name} has no subscale ${JSON.stringify(wrong)}`;
    throw new AuditError('bad_argument', `${what}; the subscales are ${known.join(', ')}`, { known });
  }
  return Object.values(scale.subscales).filter(({ name }) => asked.includes(name));
}

/** The keys of the answer, the scores first. Throws as {@link askedSubscales}. */
export function predictionKeys(scale: Scale, asked?: readonly string[]): PredictionKey[] {
  const subscales = askedSubscales(scale, asked);
  return [
    ...subscales.map(
      ({ name, key, min, max }) => ({ kind: 'score', key, subscale: name, min, max }) as const,
    ),
    ...subscales.flatMap((subscale) => {
      const { name, bandKey } = subscale;
      if (bandKey === null) return [];
      return [{ kind: 'band', key: bandKey, subscale: name, bands: bandNames(subscale) } as const];
    }),
  ];
}

/** A key of the answer as `parse json --schema` reads it. */
export type PredictionField =
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | {
      readonly type: 'enum';
      readonly values: readonly string[];
      /** Words that say that there is no band. */
      readonly empty: readonly string[];
      readonly required: false;
      /** A band that is none of the scale's is left out, and the scores stand. */
      readonly soft: true;
    };

/** What an answer must hold, in the form of `parse json --schema`; keys that are not in it are left out. */
export interface PredictionSchema {
  readonly fields: Readonly<Record<string, PredictionField>>;
  readonly others: 'drop';
}

/**
 * What an answer must hold: whole numbers within the ranges, and bands of the scale, which may be left out. Throws as
 * {@link askedSubscales}.
 */
export function predictionSchema(scale: Scale, asked?: readonly string[]): PredictionSchema {
  const fields = predictionKeys(scale, asked).map((entry): [string, PredictionField] => {
    if (entry.kind === 'score') return [entry.key, { type: 'integer', min: entry.min, max: entry.max }];
    return [entry.key, { type: 'enum', values: entry.bands, empty: NO_LABELS, required: false, soft: true }];
  });
  return { fields: Object.fromEntries(fields), others: 'drop' };
}
