/** The numbers of a run under the names and by the rules of the reference project (docs/suites.md). */

import type { Fields } from '../../contract/fields.ts';
import type { MetricFigures, RunCounts, SuiteContext } from '../../contract/suite.ts';
import { halfWidth } from '../shared/reference.ts';
import type { CtfOptions } from './options.ts';

export function referenceOfCtf(
  metrics: ReadonlyMap<string, MetricFigures>,
  { ok, skipped }: RunCounts,
  { options: { topK } }: SuiteContext<CtfOptions>,
): Fields {
  const gap = metrics.get('ctfGap')!;
  const jsd = metrics.get('jsdSwap')!;
  const count = ok + skipped;
  return {
    count,
    covered: ok,
    coverage: count === 0 ? 0 : ok / count,
    CTF_gap_mean: gap.value ?? 0,
    CTF_gap_ci95: halfWidth(gap),
    JSD_swap_mean: jsd.value ?? 0,
    JSD_swap_ci95: halfWidth(jsd),
    topk: topK,
  };
}
