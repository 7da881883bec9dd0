/**
 * Who reduces logits changes no number: whole runs by `cpu`, from host memory, and by each other implementation, where
 * logits were computed. On the CPU, and on every accelerator that this machine and this build have.
 */

import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import type { MetricsImpl, ModelOptions } from '../../src/model/index.ts';
import { engineAddon } from '../../src/native/engine.ts';
import type { RunOptions } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { sharedFile } from '../oracle/shared.ts';
import { plantedFiles } from './planted.ts';
import { jsonlFile, type Ran, runOn } from './suite-run.ts';

/** Float32 sums against the cpu kernels', carried through a suite's own arithmetic. */
const TOLERANCE = 1e-6;

const STORIES = sharedFile('models/stories260K.gguf');
const ENGINE: ModelOptions = { threads: 1, inProcess: true };

/** A device, and what reduces logits there beside `cpu`. */
interface Place {
  readonly device: string;
  readonly impl: MetricsImpl;
}

const PLACES: readonly Place[] = engineAddon()
  .system()
  .devices.filter(({ kind }) => kind !== 'accelerator')
  .flatMap(({ kind, name, metrics }) => {
    const device = kind === 'cpu' ? 'cpu' : name;
    const own = metrics === 'cpu' ? [] : [metrics as MetricsImpl];
    return [...new Set<MetricsImpl>(['graph', ...own])].map((impl) => ({ device, impl }));
  });

/** All that differs by more than the tolerance, or at all where it is no number. */
function differences(a: unknown, b: unknown, path = ''): string[] {
  if (typeof a === 'number' && typeof b === 'number') {
    return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b)) ? [] : [`${path}: ${a} is not ${b}`];
  }
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    const at = (of: object, key: string) => (of as Readonly<Record<string, unknown>>)[key];
    return keys.flatMap((key) => differences(at(a, key), at(b, key), `${path}.${key}`));
  }
  return Object.is(a, b) ? [] : [`${path}: ${String(a)} is not ${String(b)}`];
}

type Asked = Omit<RunOptions, 'backend' | 'engine'>;

async function bothWays({ device, impl }: Place, model: string, options: Asked): Promise<Ran> {
  const cpu = await runOn(model, options, { ...ENGINE, device, metricsImpl: 'cpu' });
  const there = await runOn(model, options, { ...ENGINE, device, metricsImpl: impl });
  expect(there.rows.length).toBeGreaterThan(0);
  expect(differences(there.rows, cpu.rows)).toEqual([]);
  expect(
    differences(
      there.result.summaries.map(({ metrics }) => metrics),
      cpu.result.summaries.map(({ metrics }) => metrics),
    ),
  ).toEqual([]);
  expect(cpu.result.manifest.engine.metricsImplementation).toBe('cpu');
  expect(there.result.manifest.engine.metricsImplementation).toBe(impl);
  return there;
}

describe.each(PLACES)('on $device, a run by $impl is the run by cpu to 1e-6', (place) => {
  it('ctf on the planted model', async () => {
    const { model, data } = await plantedFiles();
    const { rows } = await bothWays(place, model, {
      suite: findSuite('ctf'),
      data: [data],
      lexicon: await loadLexicon('gender-en'),
      limit: 60,
    });
    expect(rows.every(({ status }) => status === 'ok')).toBe(true);
  });

  for (const steps of ['aligned', 'decode'])
    it.skipIf(STORIES === null)(`ctf on stories260K, ${steps} steps`, async () => {
      const rows = ['nurse', 'farmer', 'king', 'doctor'].map((who, index) => ({
        id: `${index}`,
        x: `The ${who} said that she was tired. She`,
        x_swap: `The ${who} said that he was tired. He`,
      }));
      const lexicon = await loadLexicon('gender-en');
      await bothWays(place, STORIES!, {
        suite: findSuite('ctf'),
        data: [jsonlFile(rows)],
        lexicon,
        options: { steps },
      });
    });

  it.skipIf(STORIES === null)('crows on stories260K', async () => {
    const rows = ['tall', 'kind', 'old'].map((what) => ({
      sent_more: `The woman was ${what} and she said that he was tired.`,
      sent_less: `The man was ${what} and he said that he was tired.`,
      stereo_antistereo: 'stereo',
      bias_type: 'gender',
    }));
    await bothWays(place, STORIES!, { suite: findSuite('crows'), data: [jsonlFile(rows)] });
  });
});
