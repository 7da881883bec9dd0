/** What is allowed but may not be meant. */
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
