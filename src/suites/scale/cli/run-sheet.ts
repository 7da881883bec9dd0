/** What `run scale` prints once it is done. */
import { formatCount } from '../../../report/index.ts';
import { usageLines } from '../../../shell/run/sheet.ts';
import type { ScaleRunResult } from '../run/run.ts';

/** For programs. */
export function scaleJson({
  folder,
  manifest,
  plan,
  counts,
  results,
  firstFailure,
  notes,
}: ScaleRunResult): string {
  const { id, usage } = manifest;
  const { tiers, personasSha256 } = plan;
  const paid = usage === null ? {} : { usage };
  const told = {
    id,
    folder: folder.path,
    tiers,
    personasSha256,
    counts,
    results,
    firstFailure,
    notes,
    ...paid,
  };
  return JSON.stringify(told, null, 2);
}

/** For people. */
export function scaleSheet({ manifest, plan, counts, results, firstFailure, notes }: ScaleRunResult): string {
  const { scale, tiers } = plan;
  const lines = [
    `${formatCount(counts.ok)} of ${formatCount(counts.cases)} cases answered, ${formatCount(counts.failed)} failed (${scale.name}; tiers ${tiers.join(', ')})`,
    ...usageLines(manifest.usage),
    ...notes.map((note) => `note: ${note}`),
    ...(firstFailure === null ? [] : [`first failure: ${firstFailure}`]),
    `answers: ${results}; next: logit-audit ingest scale --scale ${scale.name} --results ${results} --out predictions.csv`,
  ];
  return lines.join('\n');
}
