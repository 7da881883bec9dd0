/** What `run rules` prints once it is done. */

import { runSheet } from '../../../shell/run/sheet.ts';
import type { RulesRunResult } from '../run/run.ts';
import { performanceTable } from './table.ts';

/** For programs. */
export function rulesJson(result: RulesRunResult): string {
  if (result.status === 'kept') return JSON.stringify(result, null, 2);
  const { status, files, run, written } = result;
  const own = written ? { performance: files.performance, reasoning: files.reasoning, tidy: files.tidy } : {};
  const { usage } = run.manifest;
  return JSON.stringify(
    {
      status,
      ...own,
      runDir: run.folder.path,
      counts: run.counts,
      metrics: written?.metrics ?? null,
      ...(usage === null ? {} : { usage }),
    },
    null,
    2,
  );
}

/** For people. */
export function rulesSheet(result: RulesRunResult): string {
  if (result.status === 'kept') {
    return `kept ${result.performance}: nothing was run; --override replaces it`;
  }
  const { files, run, written } = result;
  if (!written) return runSheet(run);
  return [runSheet(run), '', performanceTable(written.metrics), `results: ${files.performance}`].join('\n');
}
