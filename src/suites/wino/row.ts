/**
 * The two kinds of rows that wino reads: a sentence of WinoGender, whose id says everything about it, and a premise
 * with two options. A row is of the kind whose columns it has.
 */
import { z } from 'zod';
import { rowId } from '../../contract/columns.ts';
import type { Gender } from '../shared/referent/pronouns.ts';

export type Referent = 'occupation' | 'participant';

export interface SchemaRow {
  readonly kind: 'schema';
  readonly id: string;
  readonly sentence: string;
  readonly occupation: string;
  readonly participant: string;
  readonly answer: Referent;
  readonly gender: Gender;
  /** What the rows of the three genders have in common. */
  readonly template: string;
}

export interface PremiseRow {
  readonly kind: 'premise';
  readonly id: string | null;
  readonly premise: string;
  readonly options: readonly [a: string, b: string];
  readonly gold: 'a' | 'b';
}

export type WinoRow = SchemaRow | PremiseRow;

const SENTID = /^([^.]+)\.([^.]+)\.([01])\.(male|female|neutral)(?:\.txt)?$/;

const schemaRow = z
  .looseObject({
    sentid: z.string().regex(SENTID, {
      error:
        'is not of the form occupation.participant.answer.gender.txt, with 0 (the occupation) or 1 as answer and ' +
        'male, female or neutral as gender',
    }),
    sentence: z.string().min(1),
  })
  .transform(({ sentid, sentence }): SchemaRow => {
    const [, occupation, participant, answer, gender] = SENTID.exec(sentid)!;
    return {
      kind: 'schema',
      id: sentid,
      sentence,
      occupation: occupation!,
      participant: participant!,
      answer: answer === '0' ? 'occupation' : 'participant',
      gender: gender as Gender,
      template: `${occupation}.${participant}.${answer}`,
    };
  });

const premiseRow = z
  .looseObject({
    id: rowId.nullish(),
    premise: z.string().min(1),
    option_a: z.string().min(1),
    option_b: z.string().min(1),
    gold: z.enum(['a', 'b']),
  })
  .refine(({ option_a, option_b }) => option_a !== option_b, {
    path: ['option_b'],
    error: 'is the same as option_a; give two options',
  })
  .transform(
    ({ id, premise, option_a, option_b, gold }): PremiseRow => ({
      kind: 'premise',
      id: id ?? null,
      premise,
      options: [option_a, option_b],
      gold,
    }),
  );

const PREMISE_COLUMNS = ['premise', 'option_a', 'option_b'];

/** By its columns, so that a fault is reported for the kind of row that its author meant. */
export const winoRow: z.ZodType<WinoRow> = z.looseObject({}).transform((value, context): WinoRow => {
  const isPremise = PREMISE_COLUMNS.some((column) => Object.hasOwn(value, column));
  if (!isPremise && !Object.hasOwn(value, 'sentid')) {
    context.addIssue({
      code: 'custom',
      message:
        'is of neither kind; give sentid and sentence (WinoGender), or id, premise, option_a, option_b and gold',
    });
    return z.NEVER;
  }
  const parsed = (isPremise ? premiseRow : schemaRow).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never);
  return z.NEVER;
});
