/** The file of `swap --names`: a name of either group in each row, under the groups' names. */
import { z } from 'zod';
import { checkRow, openDataset } from '../dataset/index.ts';
import { AuditError, toAuditError } from '../errors.ts';
import { type SwapNames, swapNames } from '../lexicon/index.ts';

/**
 * Reads pairs of names out of a CSV, TSV or JSON Lines file with a column for each of the two groups. Errors:
 * `file_not_found`, `file_unreadable`, and `data_malformed` or `row_invalid` for the first row that is no pair.
 */
export async function readNames(
  file: string,
  [first, second]: readonly [string, string],
): Promise<SwapNames> {
  const name = z.string().trim().min(1, { error: 'is empty; give a name' });
  const schema = z.looseObject({ [first]: name, [second]: name });
  const pairs: [string, string][] = [];
  for await (const row of openDataset(file).rows()) {
    const checked = checkRow(schema, row, file);
    if (!checked.ok) throw checked.error;
    const pair = checked.value as Record<string, string>;
    pairs.push([pair[first]!, pair[second]!]);
  }
  try {
    return swapNames(pairs);
  } catch (thrown) {
    const { code, message, data } = toAuditError(thrown);
    throw new AuditError(code, `${file}: ${message}`, { file, ...data }, { cause: thrown });
  }
}
