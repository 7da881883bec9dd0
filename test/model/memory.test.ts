/**
 * Memory depends on the window, not on the number of requests: the peak of a process that streams 20,000 requests
 * against one that streams 1,000. Its engine answers at once, so that the road between the processes is under load.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { plantedFiles } from '../e2e/planted.ts';

const SCRIPT = fileURLToPath(new URL('stream-memory.mjs', import.meta.url));

/** Of the peak of the small run. */
const GROWTH = 0.1;
/** Code that V8 compiles while it warms up, and messages that it has not collected yet. Measured: 11 to 14 MB. */
const WARM_UP = 16 * 1024 * 1024;
/** V8's young generation grows to 48 MiB where nothing holds it, whatever lives; here what lives is measured. */
const YOUNG = '--max-semi-space-size=1';

async function peak(requests: number): Promise<{ bytes: number; rows: number }> {
  const { model } = await plantedFiles();
  const { stdout } = await promisify(execFile)(process.execPath, [YOUNG, SCRIPT, model, String(requests)]);
  return JSON.parse(stdout);
}

it('20,000 requests need no more memory than 1,000', async () => {
  const small = await peak(1_000);
  const large = await peak(20_000);
  expect([small.rows, large.rows]).toEqual([2_000, 40_000]);
  expect(large.bytes).toBeLessThan(small.bytes * (1 + GROWTH) + WARM_UP);
});
