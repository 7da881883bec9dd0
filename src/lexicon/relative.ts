/** Lexicons as a file of the user's names them: its paths are taken from the folder of the file. */
import path from 'node:path';
import { LEXICON_NAME } from './names.ts';
import { parseGroupFiles } from './word-groups.ts';

/**
 * What loadLexicon takes for a lexicon that a file in `folder` names: a bare name stays one, paths become whole, so that
 * none is taken for a name. Throws `bad_argument` for a group without a file.
 */
export function lexiconFrom(folder: string, nameOrPath: string): string {
  if (LEXICON_NAME.test(nameOrPath)) return nameOrPath;
  const sources = parseGroupFiles(nameOrPath);
  if (sources === null) return path.resolve(folder, nameOrPath);
  return sources.map(({ name, file }) => `${name}=${path.resolve(folder, file)}`).join(',');
}
