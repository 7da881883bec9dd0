/**
 * An open model and the opening of models leave nothing behind: the resident memory of a process that does one of them over
 * and over, measured after collection, from its first tenth to its last.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { plantedFiles } from '../e2e/planted.ts';

const SCRIPT = fileURLToPath(new URL('leak.mjs', import.meta.url));
const MIB = 1024 * 1024;

/**
 * With one arena and fixed thresholds glibc's malloc gives back what was freed, and what stays is somebody's. Left alone, it
 * raises its thresholds with each large block that is freed, and keeps more the busier the machine is.
 */
const ENVIRONMENT = {
  ...process.env,
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/**
 * Growth that is no leak: code that V8 compiles late, pages that malloc holds. Measured beside three busy processes: 0.1 to
 * 0.7 MiB. A leak of a kilobyte a window would be 8.8 MiB, one of 50 KiB a model too; a model that is not freed is more
 * than 2 MiB.
 */
const SETTLING = 4 * MIB;

async function residentMemory(what: 'windows' | 'models', count: number): Promise<number[]> {
  const { model } = await plantedFiles();
  const args = ['--expose-gc', '--single-threaded', SCRIPT, model, what, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: ENVIRONMENT });
  return JSON.parse(stdout);
}

it.each([
  ['windows', 10_000],
  ['models', 200],
] as const)('%s: %i of them leave nothing behind', { timeout: 120_000 }, async (what, count) => {
  const rss = await residentMemory(what, count);
  expect(rss.length).toBe(10);
  expect(rss.at(-1)! - rss[0]!, rss.map((bytes) => (bytes / MIB).toFixed(1)).join(' ')).toBeLessThan(
    SETTLING,
  );
});
