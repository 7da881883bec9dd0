/** The build's probe of a compiler: seen wrong where it is wrong, and what the build compiles with is right. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';

interface Probed {
  readonly found: 'right' | 'wrong' | 'unknown';
  readonly reason?: string;
  readonly bytes?: string;
}
const { MEND, probeTileConfig } = (await import('../../native/amx/probe.mjs' as string)) as {
  MEND: readonly string[];
  probeTileConfig: (compiler: string, flags?: readonly string[]) => Probed;
};
const COMPILERS = ['c++', 'g++', 'clang++'].filter((name) => spawnSync(name, ['--version']).status === 0);

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('the AMX tile configuration', () => {
  for (const compiler of COMPILERS) {
    it(`${compiler} hands all 64 bytes over with the header of the build`, ({ skip }) => {
      const { found, reason, bytes } = probeTileConfig(compiler, MEND);
      if (found === 'unknown') skip(reason);
      expect(found, bytes).toBe('right');
    });
  }

  it('a configuration that lost bytes on its way is seen', ({ skip }) => {
    // What gcc 12.2 does by itself, made by hand so that every compiler shows it.
    const header = join(temporaryFolder(), 'lossy.h');
    writeFileSync(
      header,
      `#include <immintrin.h>
       static unsigned char zeros[64];
       static inline void lossy(const void*) { _tile_loadconfig(zeros); }
       #define _tile_loadconfig lossy`,
    );
    const { found, reason, bytes } = probeTileConfig('c++', ['-include', header]);
    if (found === 'unknown') skip(reason);
    expect([found, bytes]).toEqual(['wrong', Array(64).fill(0).join(' ')]);
  });

  it('gcc 12.2 needs the header', ({ skip }) => {
    const { stdout } = spawnSync('g++', ['-dumpfullversion'], { encoding: 'utf8' });
    if (!stdout?.startsWith('12.2')) skip(`g++ is ${stdout?.trim() || 'missing'}`);
    expect(probeTileConfig('g++').found).toBe('wrong');
  });

  it('a compiler that is missing or has no AMX is unknown, with the reason', () => {
    expect(probeTileConfig('no-such-compiler')).toEqual({
      found: 'unknown',
      reason: 'no-such-compiler does not compile AMX',
    });
  });
});
