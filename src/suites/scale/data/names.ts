/** Names of the parts of a scale: those that become columns and keys, and those that become case ids. */

import { PLAIN_NAME } from '../../../catalog/index.ts';
import { AuditError } from '../../../errors.ts';

/** Subscales and constructs are parts of column names; personas' parts and variables are names of templates too. */
export const PART_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** What a case id has between participant and tier. */
export const CASE_JOINT = '__';

/** Does the tier of `P1__NAME` read back as NAME, the case id being split at its last joint? */
export function isTierName(name: string): boolean {
  return PLAIN_NAME.test(name) && !name.includes(CASE_JOINT);
}

/** Refuses what is no name of a scale, paths above all. Throws `bad_argument`. */
export function checkScaleName(name: string): void {
  if (typeof name === 'string' && PLAIN_NAME.test(name)) return;
  const message = `${JSON.stringify(name)} is not a scale name; use letters, digits, _ and -, without a path or an ending`;
  throw new AuditError('bad_argument', message, { name });
}
