/** Readers of answers: this program's, and the original's with its faults. */
import { type JsonObject, type ObjectSchema, parseObject } from '../../../parse/index.ts';
import { bandNames } from '../data/index.ts';
import { type Answer, type AnswerReader, failure } from './answer.ts';
import type { Side } from './sides.ts';

/** Words that say that a band was not named. */
const NO_BAND = ['', 'nan', 'none', 'null'];

export interface ReadingOptions {
  /** Light repairs of the JSON; done unless said. */
  readonly repair?: boolean | undefined;
}

/**
 * Reads the object that has the scores: whole numbers within the range, never clamped. Of several that differ the first in a
 * fence counts, or, where none is in one, the last. A band that is none of the scale's is left out with a remark: the score says which it is.
 */
export function answerReader(sides: readonly Side[], { repair = true }: ReadingOptions = {}): AnswerReader {
  const schema = schemaOf(sides);
  return (text) => {
    const fenced = parseObject(text, schema, { repair, several: 'first_fence' });
    if (fenced.status !== 'multiple_objects') return answerOf(fenced, sides);
    return answerOf(parseObject(text, schema, { repair, several: 'last' }), sides);
  };
}

/** Reads as the original does: see `extractOriginal`. An unknown band throws both scores away. */
export function originalReader(sides: readonly Side[]): AnswerReader {
  const schema = schemaOf(sides);
  return (text) => {
    const answer = answerOf(parseObject(text, schema, { compat: 'psych755' }), sides);
    if (answer.failure === null) return { ...answer, repairs: [], notes: [] };
    const type = answer.failure.kind === 'invalid_json' ? 'JSONDecodeError' : 'ValueError';
    return { ...answer, failure: { ...answer.failure, type } };
  };
}

function schemaOf(sides: readonly Side[]): ObjectSchema {
  const scores = sides.map(
    ({ subscale: { key, min, max } }) => [key, { type: 'integer', min, max } as const] as const,
  );
  const bands = sides.flatMap(({ subscale }) => {
    if (subscale.bandKey === null) return [];
    const field = { type: 'enum', values: bandNames(subscale), empty: NO_BAND, required: false } as const;
    return [[subscale.bandKey, { ...field, soft: true }] as const];
  });
  return { fields: Object.fromEntries([...scores, ...bands]), others: 'drop' } as ObjectSchema;
}

function answerOf(read: ReturnType<typeof parseObject>, sides: readonly Side[]): Answer {
  if (read.status !== 'ok' && read.value !== undefined) return partOf(read, read.value, sides);
  if (read.status !== 'ok') {
    const none = sides.map(() => null);
    return {
      scores: none,
      bands: none,
      failure: failure(read.status, read.message),
      repairs: [],
      notes: [],
    };
  }
  const { value, repairs, notes } = read;
  return {
    ...valuesOf(value, sides),
    failure: null,
    repairs,
    notes: notes.map(({ code, message }) => `${code}: ${message}`),
  };
}

function valuesOf(value: JsonObject, sides: readonly Side[]): Pick<Answer, 'scores' | 'bands'> {
  return {
    scores: sides.map(({ subscale }) => (value[subscale.key] ?? null) as number | null),
    bands: sides.map(({ subscale: { bandKey } }) =>
      bandKey === null ? null : ((value[bandKey] ?? null) as string | null),
    ),
  };
}

/** An answer of which a score is NaN or the like: the others count; without others it is none. */
function partOf(
  { status, message }: { readonly status: string; readonly message?: string },
  value: JsonObject,
  sides: readonly Side[],
): Answer {
  const values = valuesOf(value, sides);
  const none = values.scores.every((score) => score === null);
  const notes = [`${status}: ${message ?? ''}`];
  return { ...values, failure: none ? failure(status, message ?? '') : null, repairs: [], notes };
}
