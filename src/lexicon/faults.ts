/** The one error that tells the faults of lexicons and word lists. */

import { invalidFile, type PlacedFault } from '../catalog/index.ts';
import type { AuditError } from '../errors.ts';

/** `lexicon_invalid` about `subject`, with every fault in `data.faults` and the first few in the message. */
export function invalidLexicon(subject: string, faults: readonly PlacedFault[]): AuditError {
  return invalidFile('lexicon_invalid', 'lexicon', subject, faults);
}
