/** Exit codes, and how a command's fault is reported: one line that says what to do, or JSON where a machine reads. */

import { type AuditError, toAuditError } from '../errors.ts';
import { clearLine, printError } from '../report/terminal.ts';

/** Tells it in a line on stderr. */
export function warn(message: string): void {
  printError(`logit-audit: warning: ${message}\n`);
}

/** The same of what was done as it should be; over the line of a progress bar. */
export function note(message: string): void {
  clearLine('stderr');
  printError(`logit-audit: note: ${message}\n`);
}

export const EXIT = {
  ok: 0,
  /** Something broke that the caller could not have mended, or nothing could be measured. */
  failed: 1,
  /** Bad input: arguments, files, data. */
  input: 2,
  /** The disk is full, its quota is used up, or it fails. What was written stays; resume when there is space. */
  storage: 3,
  /** Stopped by the user, as shells count SIGINT. */
  cancelled: 130,
} as const;

export function exitCodeOf(error: AuditError): number {
  if (error.kind === 'input') return EXIT.input;
  if (error.kind === 'storage') return EXIT.storage;
  return error.kind === 'cancelled' ? EXIT.cancelled : EXIT.failed;
}

/** Reports the fault on stderr and sets the exit code. Unexpected ones come with their stack. */
export function reportFault(thrown: unknown, { json }: { json: boolean }): void {
  const error = toAuditError(thrown);
  process.exitCode = exitCodeOf(error);
  if (json) {
    printError(`${JSON.stringify({ error: error.toJSON() })}\n`);
    return;
  }
  printError(`logit-audit: ${error.message}\n`);
  if (error.code === 'internal') {
    const cause = error.cause instanceof Error ? error.cause : error;
    printError(`${cause.stack}\nThis should not happen: please report it with the lines above.\n`);
  }
}

/** Wraps a command's action: a fault becomes a message and an exit code, SIGINT an AbortSignal. */
export async function runAction(
  { json }: { json: boolean },
  action: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const onSignal = () => {
    // The first one ends the batch and syncs; the second ends the process at once.
    if (controller.signal.aborted) process.exit(EXIT.cancelled);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  try {
    await action(controller.signal);
  } catch (thrown) {
    reportFault(thrown, { json });
  } finally {
    process.off('SIGINT', onSignal);
  }
}
