/** `logit-audit demo` and `doctor`, the first things a new user runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DemoResult } from '../../src/demo/demo.ts';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

describe('demo', () => {
  it('measures what was planted', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runCli(['demo', '--json'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const result: DemoResult = JSON.parse(stdout);
    const { occupations } = await loadLexicon('gender-en');
    expect(result.occupations.map(({ occupation }) => occupation)).toEqual(
      occupations.map(({ word }) => word),
    );
    expect(result.rows).toBe(240);
    expect(result.maxAbsError).toBeLessThan(1e-6);
    expect(result.maxAbsError).toBeGreaterThan(0);
    expect(result.llamaDefaults.maxAbsError).toBeLessThan(2e-3);
    expect(result.llamaDefaults.maxAbsError).toBeGreaterThan(result.maxAbsError);
    for (const { planted, measured } of result.occupations) {
      expect(Object.keys(planted)).toEqual(['massFemale', 'massMale', 'gap', 'jsdSwap']);
      for (const key of ['massFemale', 'massMale', 'gap', 'jsdSwap'] as const) {
        expect(Math.abs(planted[key] - measured[key])).toBeLessThan(1e-6);
      }
    }
    // The planted bias is there to be found: the female mass rises with the share of women.
    const byShare = [...result.occupations].sort((a, b) => a.shareOfWomen - b.shareOfWomen);
    expect(byShare[0]!.measured.massFemale).toBeLessThan(0.05);
    expect(byShare.at(-1)!.measured.massFemale).toBeGreaterThan(0.5);
    expect(existsSync(join(cwd, result.runDir, 'metrics.json'))).toBe(true);
  });

  it('prints planted beside measured and what the defaults cost', async () => {
    const { code, stdout } = await runCli(['demo', '--out', 'd'], { cwd: temporaryFolder() });
    expect(code).toBe(0);
    expect(stdout).toContain('not a language model');
    expect(stdout).toMatch(/nurse +0\.896 +0\.\d{4} +0\.\d{4}/);
    expect(stdout).toMatch(/with the default \(float32 KV cache, no flash attention\)/);
    expect(stdout).toMatch(/with llama\.cpp's own defaults/);
  });

  it('does not write over a folder', async () => {
    const cwd = temporaryFolder();
    await runCli(['demo', '--out', 'd'], { cwd });
    const { code, stderr } = await runCli(['demo', '--out', 'd'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('d is not empty')]);
  });
});

describe('doctor', () => {
  it('says that both addons work, with features, devices and the licence of llama.cpp', async () => {
    const { code, stdout } = await runCli(['doctor'], { cwd: temporaryFolder() });
    expect(code).toBe(0);
    expect(stdout).toContain('metrics addon: works');
    expect(stdout).toMatch(/engine addon: loads; llama\.cpp \d+\.\d+\.\d+/);
    expect(stdout).toContain('CPU features in use: ');
    expect(stdout).toMatch(/device CPU \(cpu\): /);
    expect(stdout).toContain('The ggml authors');
  });

  it('says the same as JSON', async () => {
    const { code, stdout } = await runCli(['doctor', '--json'], { cwd: temporaryFolder() });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      metrics: { ok: true },
      engine: { ok: true, details: { devices: expect.any(Array) } },
      missing: expect.any(Array),
    });
  });
});

describe('help', () => {
  it('shows every command with examples, and ends well', async () => {
    const cwd = temporaryFolder();
    for (const args of [['--help'], ['run', '--help'], ['demo', '--help'], ['doctor', '--help']]) {
      const { code, stdout, stderr } = await runCli(args, { cwd });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('Usage: logit-audit');
      if (args[0] !== 'doctor') expect(stdout).toContain('Examples:');
    }
    expect((await runCli(['--version'], { cwd })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
