/** Columns that the data of several suites have, as schemas read them. */
import { z } from 'zod';

/** An id: text, or in JSON a number. */
export const rowId = z.union([z.string().min(1), z.number()]).transform(String);

/** A column that may be left out; CSV gives an empty cell for it. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => (text ? text : null));
