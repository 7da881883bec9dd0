/** Runs compared by their folders. */
import { type CompareOptions, type CompareResult, compareRuns, openRun } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';

export async function compareFolders(a: string, b: string, options?: CompareOptions): Promise<CompareResult> {
  return compareRuns(await openRun(a, findSuite), await openRun(b, findSuite), options);
}
