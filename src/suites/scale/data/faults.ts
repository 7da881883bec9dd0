/** The one error that tells the faults of scales. */

import { invalidFile, type PlacedFault } from '../../../catalog/index.ts';
import type { AuditError } from '../../../errors.ts';

/** `scale_invalid` about `subject`, with every fault in `data.faults` and the first few in the message. */
export function invalidScale(subject: string, faults: readonly PlacedFault[]): AuditError {
  return invalidFile('scale_invalid', 'scale', subject, faults);
}
