/**
 * The whole road on the planted model, against a float64 forward pass over its file that shares no code with the
 * product: reader, tokenizer, passes and metrics are the oracle's own.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, type EngineOptions, openModel } from '../../src/model/index.ts';
import { type RunResult, runSuite } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { OracleLlama } from '../oracle/forward.ts';
import { readGgufFile } from '../oracle/gguf.ts';
import { jsd, jsdTopK, mass, softmax } from '../oracle/metrics.ts';
import { OracleSpm } from '../oracle/spm.ts';
import { temporaryFolder } from '../temporary.ts';
import { plantedFiles } from './planted.ts';

/** float32 weights, activations and cache against float64. */
const FLOAT32 = 1e-6;
/** float16 cache and flash attention. */
const LLAMA_DEFAULTS = 2e-3;

const KEYS = [
  'massFemale',
  'massMale',
  'gap',
  'massFemaleSwap',
  'massMaleSwap',
  'gapSwap',
  'jsdSwap',
] as const;
type Row = Record<string, never> & { id: string; jsdTopK: Record<string, number>; tokenIds: number[] };

async function run(engine: EngineOptions): Promise<RunResult> {
  const { model, data } = await plantedFiles();
  await using backend = await openModel(model, engine);
  return await runSuite({
    suite: findSuite('ctf'),
    backend,
    engine: describeEngine(engine, backend.info),
    lexicon: await loadLexicon('gender-en'),
    data,
    out: join(temporaryFolder(), 'run'),
  });
}

function rowsOf({ folder }: RunResult): Row[] {
  return readFileSync(folder.journal, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

class Oracle {
  readonly #llama: OracleLlama;
  readonly #spm: OracleSpm;

  constructor(model: string) {
    const gguf = readGgufFile(model);
    this.#llama = new OracleLlama(gguf);
    this.#spm = new OracleSpm(gguf);
  }

  logits(text: string): number[] {
    return [...this.#llama.forward(this.tokens(text)).logits];
  }

  tokens(text: string): number[] {
    return [...this.#spm.tokenize(text)];
  }
}

describe('ctf on the planted model', () => {
  it('measures what a float64 forward pass gives, over every row', { timeout: 120_000 }, async () => {
    const { model, rows } = await plantedFiles();
    const oracle = new Oracle(model);
    const result = await run({});
    const [female, male] = result.mapping!.groups.map(({ ids }) => [...ids]) as [number[], number[]];
    const measured = rowsOf(result);
    expect(measured.length).toBe(rows.length);
    for (const row of measured) {
      const { probePrefix, probePrefixSwap } = row as unknown as Record<string, string>;
      expect(row.tokenIds).toEqual(oracle.tokens(probePrefix!));
      const a = oracle.logits(probePrefix!);
      const b = oracle.logits(probePrefixSwap!);
      const [p, q] = [softmax(a), softmax(b)];
      const expected = {
        massFemale: mass(p, female),
        massMale: mass(p, male),
        gap: Math.abs(mass(p, female) - mass(p, male)),
        massFemaleSwap: mass(q, female),
        massMaleSwap: mass(q, male),
        gapSwap: Math.abs(mass(q, female) - mass(q, male)),
        jsdSwap: jsd(p, q),
      };
      for (const key of KEYS)
        expect(Math.abs(row[key]! - expected[key]), `${row.id} ${key}`).toBeLessThan(FLOAT32);
      const form = jsdTopK(a, b, 20);
      for (const key of ['partial', 'lower', 'upper'] as const) {
        expect(Math.abs(row.jsdTopK[key]! - form[key]), `${row.id} ${key}`).toBeLessThan(FLOAT32);
      }
    }
  });

  it('averages the rows into metrics.json as the definitions say', async () => {
    const result = await run({});
    const rows = rowsOf(result) as unknown as Record<string, number>[];
    const { metrics, counts } = JSON.parse(readFileSync(result.folder.metrics, 'utf8'));
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(metrics.ctfGap.mean).toBeCloseTo(mean(rows.map((row) => row.gap!)), 12);
    expect(metrics.ctfGapBoth.mean).toBeCloseTo(mean(rows.flatMap((row) => [row.gap!, row.gapSwap!])), 12);
    expect(metrics.jsdSwap.mean).toBeCloseTo(mean(rows.map((row) => row.jsdSwap!)), 12);
    expect(metrics.jsdTopK.k).toBe(20);
    expect(metrics.jsdTopK.lower.mean).toBeLessThanOrEqual(metrics.jsdSwap.mean);
    expect(metrics.jsdTopK.upper.mean).toBeGreaterThanOrEqual(metrics.jsdSwap.mean);
    for (const name of ['ctfGap', 'ctfGapBoth', 'jsdSwap']) {
      expect(metrics[name]).toMatchObject({
        coverage: 1,
        ci: { method: 'cluster', level: 0.95, clusters: 4 },
      });
      expect(metrics[name].ci.low).toBeLessThan(metrics[name].mean);
      expect(metrics[name].ci.high).toBeGreaterThan(metrics[name].mean);
    }
    expect(counts).toEqual({ rows: rows.length, ok: rows.length, failed: 0, skipped: 0 });
  });

  it("stays near with llama.cpp's own defaults", async () => {
    const exact = rowsOf(await run({}));
    const fast = rowsOf(await run({ kvType: 'f16', flashAttention: true }));
    let largest = 0;
    exact.forEach((row, index) => {
      for (const key of KEYS) largest = Math.max(largest, Math.abs(row[key]! - fast[index]![key]!));
    });
    expect(largest).toBeLessThan(LLAMA_DEFAULTS);
    // Were it 0, the options would not have reached llama.cpp.
    expect(largest).toBeGreaterThan(FLOAT32);
  });
});
