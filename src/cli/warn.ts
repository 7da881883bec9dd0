/** What is allowed but may not be meant. */
import { forTerminal } from '../report/index.ts';

/** Tells it in a line on stderr. */
export function warn(message: string): void {
  process.stderr.write(`logit-audit: warning: ${forTerminal(message, process.stderr)}\n`);
}
