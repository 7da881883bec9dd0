/** A row of counterfactual data: a text, the same text with the lexicon's words swapped, and what it is about. */
import { z } from 'zod';
import { optionalText, rowId } from '../columns.ts';

export const ctfRow = z.looseObject({
  id: rowId.nullish(),
  x: z.string().min(1),
  x_swap: z.string().min(1),
  occupation: optionalText,
  category: optionalText,
  /** The sentence without its occupation, by whatever name: rows of one template are not independent. */
  template: optionalText,
});
export type CtfRow = z.output<typeof ctfRow>;
