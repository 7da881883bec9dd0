/** Faults of files that people write, each with its place, and the one error that tells them. */
import { AuditError, type ErrorCode } from '../errors.ts';

/** A fault, or a warning, and where it is. */
export interface PlacedFault {
  /** As messages call it. */
  readonly file: string;
  /** From 1; null for what concerns the whole file. */
  readonly line: number | null;
  /** Keys and indices from the root; empty for the whole file. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const SHOWN_FAULTS = 5;

/** An error about `subject`, a `kind` of thing, with every fault in `data.faults` and the first few in the message. */
export function invalidFile(
  code: ErrorCode,
  kind: string,
  subject: string,
  faults: readonly PlacedFault[],
): AuditError {
  const shown = faults.slice(0, SHOWN_FAULTS).map((fault) => describeFault(fault, subject));
  const more = faults.length > SHOWN_FAULTS ? [`and ${faults.length - SHOWN_FAULTS} more`] : [];
  const first = faults[0];
  return new AuditError(code, `${kind} ${subject}: ${[...shown, ...more].join('; ')}`, {
    file: first?.file ?? subject,
    key: first?.path.join('.') ?? '',
    line: first?.line ?? null,
    faults,
  });
}

/** Faults of a text that was never written: the lines are of no file, so they are left out. */
export function unwrittenFile(
  code: ErrorCode,
  kind: string,
  subject: string,
  faults: readonly PlacedFault[],
): AuditError {
  const placeless = faults.map((fault) => ({ ...fault, line: null }));
  const error = invalidFile(code, kind, subject, placeless);
  return new AuditError(error.code, `${error.message} (nothing was written)`, error.data);
}

/** `line 3: groups.a is empty`, with the file in front where it is not the subject. */
export function describeFault({ file, line, message }: PlacedFault, subject: string): string {
  const place = [...(file === subject ? [] : [file]), ...(line === null ? [] : [`line ${line}`])];
  return place.length === 0 ? message : `${place.join(' ')}: ${message}`;
}
