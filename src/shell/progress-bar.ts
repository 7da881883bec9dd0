/** Progress on a terminal: rows, rate, time left. Silent where stderr is not a terminal. */
import cliProgress from 'cli-progress';
import { formatCount, formatDuration, formatRate } from '../report/index.ts';
import { isTerminal, progressStream, visibleLine } from '../report/terminal.ts';
import type { Progress } from '../run/index.ts';

/** How far the work is; what is left out does not concern it, and is not shown. */
export type Step = Pick<Progress, 'rows' | 'totalRows'> & Partial<Progress>;

export interface ProgressBar {
  update(step: Step): void;
  /** How many answers of an endpoint there are, of rows that are not done yet too. */
  answered(answers: number): void;
  stop(): void;
}

const QUIET: ProgressBar = { update: () => undefined, answered: () => undefined, stop: () => undefined };

/** `label` says what is being done; nothing is shown before `afterMs`, for work that may be done by then. */
export function progressBar(label: string, { afterMs = 0 }: { afterMs?: number } = {}): ProgressBar {
  if (!isTerminal('stderr')) return QUIET;
  const started = Date.now();
  const bar = new cliProgress.SingleBar({
    stream: progressStream(),
    clearOnComplete: true,
    hideCursor: true,
    format: `${visibleLine(label)} {bar} {done} rows  {rate}{tokenRate}{threads}{answers}  {left} left{problems}`,
  });
  let running = false;
  let answers = '';
  return {
    update({ rows, totalRows, resumedFrom = 0, failed = 0, skipped = 0, tokens, threads }) {
      const elapsed = Date.now() - started;
      if (elapsed < afterMs) return;
      const own = rows - resumedFrom;
      const payload = {
        done: `${formatCount(rows)} of ${formatCount(totalRows)}`,
        rate: formatRate(own, elapsed, 'rows'),
        tokenRate: tokens === undefined ? '' : `  ${formatRate(tokens, elapsed, 'tokens')}`,
        threads: threads === undefined ? '' : `  ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
        answers,
        left: formatDuration(own === 0 ? null : (elapsed * (totalRows - rows)) / own),
        problems: failed + skipped === 0 ? '' : `  (${failed} failed, ${skipped} skipped)`,
      };
      if (!running) bar.start(totalRows, rows, payload);
      else bar.update(rows, payload);
      running = true;
    },
    answered(count) {
      answers = `  ${formatCount(count)} answers`;
      if (running) bar.update({ answers });
    },
    stop() {
      if (running) bar.stop();
    },
  };
}
