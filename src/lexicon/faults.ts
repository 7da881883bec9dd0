/** The faults of lexicons and word lists, each with its place, and the one error that tells them. */
import { AuditError } from '../errors.ts';

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

/** `lexicon_invalid` about `subject`, with every fault in `data.faults` and the first few in the message. */
export function invalidLexicon(subject: string, faults: readonly PlacedFault[]): AuditError {
  const shown = faults.slice(0, SHOWN_FAULTS).map((fault) => describeFault(fault, subject));
  const more = faults.length > SHOWN_FAULTS ? [`and ${faults.length - SHOWN_FAULTS} more`] : [];
  const first = faults[0];
  return new AuditError('lexicon_invalid', `lexicon ${subject}: ${[...shown, ...more].join('; ')}`, {
    file: first?.file ?? subject,
    key: first?.path.join('.') ?? '',
    line: first?.line ?? null,
    faults,
  });
}

/** `line 3: groups.a is empty`, with the file in front where it is not the subject. */
export function describeFault({ file, line, message }: PlacedFault, subject: string): string {
  const place = [...(file === subject ? [] : [file]), ...(line === null ? [] : [`line ${line}`])];
  return place.length === 0 ? message : `${place.join(' ')}: ${message}`;
}
