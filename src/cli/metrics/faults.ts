/** Faults in a block of rows, named by the file and its rows instead of by the block. */
import { AuditError, toAuditError } from '../../errors.ts';
import type { LogitsBlock, LogitsFile } from '../../npy/index.ts';

/** One file's part in a computation. */
export interface Source {
  readonly file: LogitsFile;
  readonly block: LogitsBlock;
}

/** The error that a metric threw over blocks: `a` is the first or only file, `b` the second. */
export function placeFault(thrown: unknown, a: Source, b: Source = a): AuditError {
  const error = toAuditError(thrown);
  const { row, column, input } = error.data as { row?: number; column?: number; input?: string };
  if (row === undefined) return error;
  const { file, block } = input === 'b' ? b : a;
  const at = { file: file.path, row: block.firstRow + row };
  if (error.code === 'not_finite' && column !== undefined) {
    const kind = Number.isNaN(block.logits[row * file.vocab + column]) ? 'NaN' : '+inf';
    return new AuditError(
      error.code,
      `${at.file}: row ${at.row}, column ${column} (counted from 0) is ${kind}; only -inf may stand for a masked token: look for the cause where the logits were made`,
      { ...at, column },
      { cause: thrown },
    );
  }
  if (error.code === 'all_masked') {
    const message = `${at.file}: row ${at.row} (counted from 0) is -inf throughout, so there is no distribution; leave the row out, or one token unmasked`;
    return new AuditError(error.code, message, at, { cause: thrown });
  }
  return error;
}

/** Throws `cancelled` once the user has asked for it. */
export function checkCancelled(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new AuditError('cancelled', 'the measurement was cancelled; no file was written');
  }
}
