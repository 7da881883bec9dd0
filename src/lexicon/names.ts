/** Names that users choose: of lexicons, which become file names, and of groups, which become columns and keys. */

import { PLAIN_NAME } from '../catalog/index.ts';
import { AuditError } from '../errors.ts';

export const LEXICON_NAME = PLAIN_NAME;
export const GROUP_NAME = /^\p{L}[\p{L}\p{N}_-]*$/u;

/** Refuses what is no name of a lexicon, paths above all. Throws `bad_argument`. */
export function checkLexiconName(name: string): void {
  if (typeof name === 'string' && LEXICON_NAME.test(name)) return;
  const message = `${JSON.stringify(name)} is not a lexicon name; use letters, digits, _ and -, without a path or an ending`;
  throw new AuditError('bad_argument', message, { name });
}

/** What is wrong with the name of a group, or null. A pair of a lexicon says with `as` what it is about. */
export function groupNameProblem(name: string): string | null {
  if (!GROUP_NAME.test(name))
    return 'is not a group name; start with a letter and use letters, digits, _ and -';
  if (name === 'as') return '"as" says the use of a pair; name the group otherwise';
  return null;
}
