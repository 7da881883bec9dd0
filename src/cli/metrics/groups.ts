/** The columns that token groups make: a name each, and no name twice. */
import { AuditError } from '../../errors.ts';
import { checkTokenGroups, massName, readTokenGroups, type TokenGroup } from '../../lexicon/index.ts';
import type { LogitsFile } from '../../npy/index.ts';

/** The groups of `file`, none where it is not given, found right for the logits and for columns of these suffixes. */
export async function openGroups(
  file: string | undefined,
  logits: LogitsFile,
  suffixes: readonly string[],
): Promise<readonly TokenGroup[]> {
  if (file === undefined) return [];
  const { groups } = await readTokenGroups(file);
  checkNames(groups, suffixes, file);
  checkTokenGroups(groups, logits.vocab, file, logits.path);
  return groups;
}

/** Refuses groups whose columns would have one name, as those of `he` and `He`. Throws `data_malformed`. */
function checkNames(groups: readonly TokenGroup[], suffixes: readonly string[], file: string): void {
  const owners = new Map<string, string>();
  for (const { name } of groups) {
    for (const suffix of suffixes) {
      const column = massName(name, suffix);
      const owner = owners.get(column);
      if (owner !== undefined) {
        const message = `${file}: ${name} and ${owner} would both have the column ${column}; rename one`;
        throw new AuditError('data_malformed', message, { file, key: name });
      }
      owners.set(column, name);
    }
  }
}
