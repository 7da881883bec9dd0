/** What `run bbq` prints once it is done. */

import { panelJson, panelSheet } from '../../../shell/run/panel-sheet.ts';
import type { BbqRunResult } from '../run/run.ts';
import { splitSheets } from './paper-sheet.ts';

/** For programs: the panel's own, and the result files. */
export function bbqJson({ panel, results, scores, resultsDir, notes }: BbqRunResult): string {
  const files = results.map(({ cell, written }) => ({
    ...cell,
    file: written?.path ?? null,
    rows: written?.rows ?? 0,
  }));
  return JSON.stringify(
    { ...JSON.parse(panelJson(panel)), scores, resultsDir, results: files, notes },
    null,
    2,
  );
}

/** For people. */
export function bbqSheet({ panel, scores, resultsDir, results, notes }: BbqRunResult, level: number): string {
  const files = results.filter(({ written }) => written !== null).length;
  return [
    panelSheet(panel),
    '',
    ...splitSheets(scores, 'paper', level),
    '',
    ...notes.map((note) => `note: ${note}`),
    `result files: ${files}, in ${resultsDir}; next: logit-audit pipeline bbq --results ${resultsDir} --out scores`,
  ].join('\n');
}
