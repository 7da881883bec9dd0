/** Runs that were stopped before their results stood, in the folder of results where they lie. */
import { existsSync, readdirSync } from 'node:fs';
import { runFolder } from '../../../run/folder.ts';
import { readManifest } from '../../../run/stored.ts';
import { earlierResults, isPerformance, resultFiles, stampIn } from './folder.ts';

const RUN = /^run_(?:.*_)?(?<stamp>\d{8}_\d{6})$/;

/** Whether nothing of the run is left to do. Throws `data_malformed` for a damaged manifest. */
async function isDone(folder: string, stamp: string, part: string | null): Promise<boolean> {
  const results = earlierResults(folder);
  const newest = stampIn(results.filter(isPerformance).at(-1) ?? '');
  // Later results replace its own.
  if (stamp < newest) return true;
  // What its results have replaced is taken away last.
  if (stamp === newest) return results.every((file) => stampIn(file) >= stamp);
  const { status, counts } = await readManifest(runFolder(resultFiles(folder, stamp, part).run).manifest);
  // Where nothing was measured there are no results.
  return status === 'complete' && counts?.ok === 0;
}

/** The time stamps of stopped runs, the newest first. In a folder without a manifest nothing was done. */
export async function stoppedRuns(folder: string, part: string | null): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const stamps = readdirSync(folder)
    .flatMap((name) => RUN.exec(name)?.groups?.stamp ?? [])
    .filter((stamp) => existsSync(runFolder(resultFiles(folder, stamp, part).run).manifest));
  const stopped: string[] = [];
  for (const stamp of stamps.sort().reverse()) {
    if (!(await isDone(folder, stamp, part))) stopped.push(stamp);
  }
  return stopped;
}
