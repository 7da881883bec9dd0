/** A real small model against values that PyTorch gave in float64: through the API, and through a run. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, type EngineOptions, openModel } from '../../src/model/index.ts';
import { runSuite } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';

const MODEL = sharedFile('models/stories260K.gguf');
const PROBES = sharedFile('vectors/stories260K/ctf_probe.json');

/** A float32 KV cache without flash attention, and llama.cpp's own defaults. */
const EXACT = 2e-4;
const DEFAULTS = 1e-3;
/** Sums over a row of 512 probabilities in float32 passes. */
const PROBE = 1e-5;

const HE = 281;
const SHE = 358;

interface ProbeVectors {
  groups: { female: number[]; male: number[] };
  rows: (Record<string, number> & {
    occupation: string;
    x: string;
    x_swap: string;
    topK: Record<string, Record<string, number>>;
  })[];
  summary: { n: number; ctfGap: number; jsdSwap: number };
}

async function run(data: string, lexicon: string, engine: EngineOptions = {}) {
  await using backend = await openModel(MODEL!, engine);
  return await runSuite({
    suite: findSuite('ctf'),
    backend,
    engine: describeEngine(engine, backend.info),
    lexicon: await loadLexicon(lexicon),
    data,
    capitalised: false,
    out: join(temporaryFolder(), 'run'),
  });
}

function lexiconFile(folder: string, groups: Record<string, string[]>): string {
  const path = join(folder, 'words.json');
  writeFileSync(path, JSON.stringify({ name: 'words', language: 'en', description: 'for a test', groups }));
  return path;
}

describe.skipIf(!MODEL)('stories260K', () => {
  for (const [name, options, tolerance] of [
    ['a float32 cache', {}, EXACT],
    ["llama.cpp's defaults", { kvType: 'f16', flashAttention: true }, DEFAULTS],
  ] as const) {
    it(`gives he and she after "The nurse said that" with ${name}, through the API`, async () => {
      await using model = await openModel(MODEL!, options);
      const { rows } = await model.observeWindow([{ kind: 'probe', text: 'The nurse said that' }], {
        groups: [Int32Array.of(HE), Int32Array.of(SHE), Int32Array.of(311), Int32Array.of(345)],
      });
      const known = [0.133278, 0.144517, 0.0365446, 0.0139741];
      known.forEach((p, group) => {
        expect(Math.abs(rows.masses[group]! - p)).toBeLessThan(tolerance);
      });
    });

    it(`gives the same with ${name} through a run`, async () => {
      const folder = temporaryFolder();
      const data = join(folder, 'one.jsonl');
      // "that" is the first lexicon word: the probe stands right after it.
      writeFileSync(
        data,
        `${JSON.stringify({ id: '1', x: 'The nurse said that she', x_swap: 'The nurse said that he' })}\n`,
      );
      const lexicon = lexiconFile(folder, { marker: ['that'], female: ['she'], male: ['he'] });
      const { folder: out } = await run(data, lexicon, options);
      const row = JSON.parse(readFileSync(out.journal, 'utf8'));
      expect(row.probePrefix).toBe('The nurse said that');
      expect(row.tokenIds).toEqual([1, 291, 297, 425, 420, 372, 336, 351]);
      expect(Math.abs(row.massMale - 0.133278)).toBeLessThan(tolerance);
      expect(Math.abs(row.massFemale - 0.144517)).toBeLessThan(tolerance);
      expect(row.jsdSwap).toBeLessThan(1e-9);
    });
  }

  it.skipIf(!PROBES)('meets every probe of the reference through a run', async () => {
    const vectors: ProbeVectors = JSON.parse(readFileSync(PROBES!, 'utf8'));
    const folder = temporaryFolder();
    const data = join(folder, 'probes.jsonl');
    const lines = vectors.rows.map(({ x, x_swap, occupation }, id) =>
      JSON.stringify({ id, x, x_swap, occupation }),
    );
    writeFileSync(data, `${lines.join('\n')}\n`);
    const result = await run(data, lexiconFile(folder, { female: ['she', 'her'], male: ['he', 'his'] }));
    expect(result.mapping!.groups.map(({ ids }) => [...ids])).toEqual([
      vectors.groups.female,
      vectors.groups.male,
    ]);
    const rows = readFileSync(result.folder.journal, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    vectors.rows.forEach((expected, index) => {
      const row = rows[index];
      expect(row).toMatchObject({
        probePrefix: expected.probePrefix,
        probePrefixSwap: expected.probePrefixSwap,
        occupation: expected.occupation,
      });
      for (const key of [
        'massFemale',
        'massMale',
        'gap',
        'massFemaleSwap',
        'massMaleSwap',
        'gapSwap',
        'jsdSwap',
      ]) {
        expect(Math.abs(row[key] - expected[key]!), `${index} ${key}`).toBeLessThan(PROBE);
      }
      for (const key of ['unionSize', 'partial', 'lower', 'upper']) {
        expect(Math.abs(row.jsdTopK[key] - expected.topK['20']![key]!), `${index} ${key}`).toBeLessThan(
          PROBE,
        );
      }
    });
    const [whole] = result.summaries;
    const meanOf = (name: string) => whole!.metrics.find((metric) => metric.name === name)!.value.value!;
    expect(Math.abs(meanOf('ctfGap') - vectors.summary.ctfGap)).toBeLessThan(PROBE);
    expect(Math.abs(meanOf('jsdSwap') - vectors.summary.jsdSwap)).toBeLessThan(PROBE);
  });
});
