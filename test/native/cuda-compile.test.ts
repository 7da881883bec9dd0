/** The CUDA kernels compile, where a compiler is: no card is needed for that. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../bench/device-compile.mjs', import.meta.url));

it('the CUDA kernels compile for one architecture without spilling registers', ({ skip }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '90'], { encoding: 'utf8' });
  if (stderr.includes('SKIPPED')) {
    process.stderr.write(stderr);
    skip(stderr.trim());
  }
  expect([status, stderr]).toEqual([0, '']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const kernels = lines.filter(({ kernel }) => kernel !== null);
  expect(kernels.map(({ kernel }) => kernel).sort()).toEqual(['larger_kernel', 'pair_kernel', 'row_kernel']);
  for (const { spilled, sharedBytes } of kernels) {
    expect(spilled).toBe(0);
    // What a block may have without being asked for more.
    expect(sharedBytes).toBeLessThanOrEqual(48 * 1024);
  }
}, 120_000);
