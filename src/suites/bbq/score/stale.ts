/** What an earlier run left behind: a category or a model that is gone must not stand beside what replaced it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes the files at any depth below `folder` whose names are `ours` and that were not among the `written`. Names are paths from
 * `folder` on, with `/`; nothing that others may have put there is touched.
 */
export function removeStale(
  folder: string,
  written: readonly string[],
  ours: (name: string) => boolean,
): void {
  if (!existsSync(folder)) return;
  const kept = new Set(written);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const name = path.replaceAll('\\', '/');
    if (ours(name) && !kept.has(name)) rmSync(join(folder, path));
  }
}
