/** The file of `swap --names`: a name of either group in each row, under the groups' names. */
import { z } from 'zod';
import { tableFile } from '../dataset/index.ts';
import { AuditError, toAuditError } from '../errors.ts';
import { type SwapNames, swapNames } from '../lexicon/index.ts';

/**
 * Reads pairs of names out of a data file with a column for each of the two groups. Errors: those of `tableFile` and of
 * `swapNames`.
 */
export async function readNames(
  file: string,
  [first, second]: readonly [string, string],
): Promise<SwapNames> {
  const name = z.string().trim().min(1, { error: 'is empty; give a name' });
  const schema = z.looseObject({ [first]: name, [second]: name });
  const rows = (await tableFile(file, schema)) as readonly Record<string, string>[];
  try {
    return swapNames(rows.map((row) => [row[first]!, row[second]!]));
  } catch (thrown) {
    const { code, message, data } = toAuditError(thrown);
    throw new AuditError(code, `${file}: ${message}`, { file, ...data }, { cause: thrown });
  }
}
