/** How the parts of a panel ended. */
import type { Suite } from '../../contract/index.ts';
import type { AuditError } from '../../errors.ts';
import type { RunResult } from '../run.ts';

/** How a part ended; `not started` where the panel was cancelled before it. */
export type PartStatus = 'complete' | 'failed' | 'cancelled' | 'not started';

/** A part that was run, or why it was not. */
export interface PanelOutcome {
  readonly name: string;
  readonly suite: Suite;
  readonly status: PartStatus;
  /** There where the status is `complete`. */
  readonly run: RunResult | null;
  /** There where it is `failed` or `cancelled`. */
  readonly error: AuditError | null;
}
