/** What is allowed but may not be meant. */
import { forTerminal } from '../report/index.ts';

/** Tells it in a line on stderr. */
export function warn(message: string): void {
  process.stderr.write(`logit-audit: warning: ${forTerminal(message, process.stderr)}\n`);
}

/** The same of what was done as it should be; over the line of a progress bar. */
export function note(message: string): void {
  const clear = process.stderr.isTTY ? '\r\u001b[K' : '';
  process.stderr.write(`${clear}logit-audit: note: ${forTerminal(message, process.stderr)}\n`);
}
