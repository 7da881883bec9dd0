/** The one error that tells the faults of scales. */
import type { AuditError } from '../errors.ts';
import { invalidFile, type PlacedFault } from '../yaml/index.ts';

/** `scale_invalid` about `subject`, with every fault in `data.faults` and the first few in the message. */
export function invalidScale(subject: string, faults: readonly PlacedFault[]): AuditError {
  return invalidFile('scale_invalid', 'scale', subject, faults);
}
