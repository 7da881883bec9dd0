/** Runs that were stopped before their results stood, in the folder of results where they lie. */
import { existsSync, readdirSync } from 'node:fs';
import { runFolder } from '../folder.ts';
import { readManifest } from '../stored.ts';
import { earlierResults, resultFiles, stampIn } from './folder.ts';

const RUN = /^run_(?:.*_)?(?<stamp>\d{8}_\d{6})$/;

/** Whether nothing of the run is left to do. Throws `data_malformed` for a damaged manifest. */
async function isDone(folder: string, stamp: string, part: string | null): Promise<boolean> {
  const { run, performance } = resultFiles(folder, stamp, part);
  const { status, counts } = await readManifest(runFolder(run).manifest);
  if (status !== 'complete') return false;
  // Where nothing was measured there are no results.
  if (counts?.ok === 0) return true;
  // What these results have replaced is taken away last.
  return existsSync(performance) && earlierResults(folder).every((file) => stampIn(file) >= stamp);
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
