/**
 * Memory depends on the window, not on the number of requests: the peaks of a process that streams 100,000 requests and
 * of the engine's process that answers them, against the peaks for 1,000.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { plantedFiles } from '../e2e/planted.ts';
import { temporaryFolder } from '../temporary.ts';

const SCRIPT = fileURLToPath(new URL('stream-memory.mjs', import.meta.url));

/** Of the peak of the small run. */
const GROWTH = 0.1;
/** Garbage is collected every few windows: what the peak shows then is what is kept. Measured: 6 % more. */
const WHAT_IS_KEPT = ['--expose-gc'];
/**
 * V8 as it comes, in the caller's process: a young generation of up to 48 MiB, and up to 64 MiB of buffers before it
 * collects. Measured: 55 to 90 MiB in all.
 */
const GARBAGE = 112 * 1024 * 1024;

async function peaks(requests: number, nodeOptions: readonly string[]) {
  const { model } = await plantedFiles();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...nodeOptions, SCRIPT, model, String(requests)],
    {
      env: {
        ...process.env,
        LOGIT_AUDIT_TEST_PEAK: join(temporaryFolder(), 'peak'),
      },
    },
  );
  return JSON.parse(stdout) as { rows: number; parent: number; engine: number };
}

it.each([
  ['without garbage', WHAT_IS_KEPT, 0],
  ['as it comes', [], GARBAGE],
])('100,000 requests need no more memory than 1,000, V8 %s', async (_, nodeOptions, garbage) => {
  const small = await peaks(1_000, nodeOptions);
  const large = await peaks(100_000, nodeOptions);
  expect([small.rows, large.rows]).toEqual([2_000, 200_000]);
  expect(large.engine).toBeLessThan(small.engine * (1 + GROWTH));
  expect(large.parent).toBeLessThan(small.parent * (1 + GROWTH) + garbage);
});
