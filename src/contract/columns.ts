/** Columns that the data of several suites have, as schemas read them. */
import { z } from 'zod';

const MISSING = 'is missing; give each row an id';

/** An id: text, or in JSON a number. */
export const rowId = z
  .union([z.string(), z.number()], {
    error: ({ input }) => (input == null ? MISSING : 'is neither a text nor a number'),
  })
  .transform(String)
  .refine((id) => id !== '', { error: MISSING });

/** A column that may be left out; CSV gives an empty cell for it. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => (text ? text : null));
