/** What is allowed but may not be meant. */
import { printError } from '../terminal.ts';

/** Tells it in a line on stderr. */
export function warn(message: string): void {
  printError(`logit-audit: warning: ${message}\n`);
}
