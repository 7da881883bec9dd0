/**
 * Where the project's shared reference data lies, when this checkout has it next to it. Tests that need it are skipped
 * without it, and say so.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of a file of the shared data, or null (with a warning) when it is not there. */
export function sharedFile(path: string): string | null {
  const full = fileURLToPath(new URL(`../../../shared/${path}`, import.meta.url));
  if (existsSync(full)) return full;
  console.warn(`SKIPPED: tests that need ../shared/${path}, which this checkout does not have`);
  return null;
}
