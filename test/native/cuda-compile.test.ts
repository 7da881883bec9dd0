/** The CUDA kernels compile, where a compiler is: no card is needed for that. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../bench/device-compile.mjs', import.meta.url));

const KERNELS = ['larger_kernel', 'pair_kernel', 'row_kernel'];

it('the CUDA kernels compile for sm_80, sm_90 and sm_120 without spilling registers', ({ skip }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
  if (stderr.includes('SKIPPED')) {
    process.stderr.write(stderr);
    skip(stderr.trim());
  }
  expect([status, stderr]).toEqual([0, '']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ architecture, kernel }) => `${architecture} ${kernel}`).sort()).toEqual(
    ['sm_80', 'sm_90', 'sm_120'].flatMap((one) => KERNELS.map((kernel) => `${one} ${kernel}`)).sort(),
  );
  for (const { spilled, sharedBytes } of lines) {
    expect(spilled).toBe(0);
    // What a block may have without being asked for more.
    expect(sharedBytes).toBeLessThanOrEqual(48 * 1024);
  }
}, 300_000);
