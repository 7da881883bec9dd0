/**
 * What a row says does not depend on the rows around it: a data set and the same one shuffled, so that every row meets
 * other rows in its window and in its batches. In the mode `exact` the sorted rows are the same bytes.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { describeEngine, type EngineOptions, openModel } from '../../src/model/index.ts';
import { runSuite } from '../../src/run/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { sharedFile } from '../oracle/shared.ts';
import { plantedFiles } from './planted.ts';

/** In natural logarithms of probabilities and in nats: what the shape of a batch may change. */
const BATCH_SHAPE = 1e-5;
/** Short enough for the overlong row, long enough for the others. */
const CONTEXT = 128;

const STORIES = sharedFile('models/stories260K.gguf');

/** Rows that fail or are skipped, each for a reason of its own. */
const ODD = [
  { id: 'long', x: `${'The nurse said '.repeat(80)}she`, x_swap: 'The nurse said he' },
  { id: 'long-swap', x: 'The nurse said she', x_swap: `${'The nurse said '.repeat(80)}he` },
  { id: 'no-word', x: 'The table', x_swap: 'The chair' },
  { id: 'no-swap', x: 'The nurse said she' },
  { id: 'number', x: 7, x_swap: 'The nurse said he' },
];

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const out = [...items];
  let state = seed;
  for (let left = out.length; left > 1; left -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const at = Math.floor((state / 2 ** 32) * left);
    [out[left - 1], out[at]] = [out[at]!, out[left - 1]!];
  }
  return out;
}

/** A line without its place: its number in the file, and where a fault of the data names file, row and line. */
function withoutPlace(line: string, folder: string): string {
  return line
    .replaceAll(folder, '')
    .replace(/row \d+ \(line \d+/, 'row 0 (line 0')
    .replace(/"(index|row|line)":\d+/g, '"$1":0');
}

/** The rows of a run over these lines, sorted by id, as the journal has them. */
async function sortedRows(
  model: string,
  rows: readonly { id: string }[],
  engine: EngineOptions,
  suiteOptions: Readonly<Record<string, unknown>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'logit-audit-shuffled-'));
  const data = join(folder, 'data.jsonl');
  const options = { contextLength: CONTEXT, threads: 1, ...engine };
  try {
    writeFileSync(data, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await using backend = await openModel(model, { inProcess: true, ...options });
    const { folder: out } = await runSuite({
      suite: findSuite('ctf'),
      backend,
      engine: describeEngine(options, backend.info),
      lexicon: await loadLexicon('gender-en'),
      data,
      options: suiteOptions,
      out: join(folder, 'out'),
    });
    const lines = readFileSync(out.journal, 'utf8').trim().split('\n');
    return (
      lines
        // Each checksum goes on from the line before, and the order is another one.
        .map((line) => withoutPlace(line.replace(/,"crc32":"\w+"/, ''), folder))
        .sort((a, b) => (JSON.parse(a).id < JSON.parse(b).id ? -1 : 1))
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every number of a row's result that is a probability, as its logarithm, and every other one as it is. */
function numbersOf(line: string): number[] {
  const numbers = (value: unknown, key: string): number[] => {
    if (typeof value === 'number') return [key.startsWith('mass') ? Math.log(value) : value];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, entry]) => numbers(entry, name));
  };
  return numbers(JSON.parse(line), '');
}

/** The same rows, words and tokens; numbers as near as the shape of a batch lets them be. */
function expectClose(found: readonly string[], expected: readonly string[]): void {
  expect(found.length).toBe(expected.length);
  const words = (line: string) => line.replace(/-?\d+(\.\d+)?(e-?\d+)?/g, '#');
  let largest = 0;
  found.forEach((line, index) => {
    expect(words(line)).toBe(words(expected[index]!));
    const numbers = numbersOf(expected[index]!);
    numbersOf(line).forEach((number, at) => {
      largest = Math.max(largest, Math.abs(number - numbers[at]!));
    });
  });
  expect(largest).toBeLessThan(BATCH_SHAPE);
}

const models: [string, () => Promise<string>, number][] = [
  ['the planted model', async () => (await plantedFiles()).model, 300],
  ['stories260K', async () => STORIES!, 140],
];

/** Rows of different lengths with long prefixes in common: what shares a batch shows. */
async function ownRows(count: number): Promise<{ id: string }[]> {
  const planted = (await plantedFiles()).rows;
  return Array.from({ length: count }, (_, index) => {
    const { x, x_swap, occupation } = planted[(index * 7) % planted.length]!;
    const head = 'Once upon a time there was a table. '.repeat(index % 3);
    return { id: `row-${index}`, x: head + x, x_swap: head + x_swap, occupation };
  });
}

describe.each(models)('%s', (name, path, count) => {
  const real = name === 'stories260K';
  const skip = real && !STORIES;
  let model: string;
  let rows: { id: string }[];
  let exact: string[];
  beforeAll(async () => {
    if (skip) return;
    model = await path();
    const own = await ownRows(count);
    rows = [...own.slice(0, 70), ...ODD, ...own.slice(70)];
    exact = await sortedRows(model, rows, { mode: 'exact' });
  });

  it.skipIf(skip)('gives the same bytes in the mode exact, rows that fail included', async () => {
    const statuses = exact.map((line): string => JSON.parse(line).status);
    const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
    expect([count('failed'), count('skipped'), exact.length]).toEqual([4, 1, rows.length]);
    const found = await sortedRows(model, shuffled(rows, 1), { mode: 'exact' });
    expect(found.join('\n')).toBe(exact.join('\n'));
  });

  it.skipIf(skip)('gives the same bytes in the mode exact with batches of other sizes', async () => {
    const some = shuffled(rows, 2).slice(0, 50);
    const ids = new Set(some.map(({ id }) => id));
    const expected = exact.filter((line) => ids.has(JSON.parse(line).id));
    for (const batch of [7, 64, 512]) {
      const found = await sortedRows(model, some, { mode: 'exact', batch });
      expect(found.join('\n')).toBe(expected.join('\n'));
    }
  });

  it.skipIf(skip)('agrees in the mode fast', async () => {
    const fast = await sortedRows(model, rows, { mode: 'fast' });
    expectClose(fast, exact);
    expectClose(await sortedRows(model, shuffled(rows, 3), { mode: 'fast', batch: 64 }), fast);
    // Were they the same bytes on a real model, the modes would be one.
    if (real) expect(fast.join('\n')).not.toBe(exact.join('\n'));
  });

  it.skipIf(skip).each([{ steps: 'aligned' }, { steps: 'decode', decodeSteps: 6 }])(
    'gives the same bytes in the mode exact in any order, batch and company, with $steps steps',
    async (suiteOptions) => {
      const some = [...rows.slice(0, 20), ...ODD];
      const run = (own: readonly { id: string }[], batch?: number) =>
        sortedRows(model, own, { mode: 'exact', ...(batch ? { batch } : {}) }, suiteOptions);
      const expected = await run(some);
      const measured = expected.map((line) => JSON.parse(line)).filter(({ status }) => status === 'ok');
      expect(measured.length).toBeGreaterThanOrEqual(20);
      expect(measured.every(({ stepCount }) => stepCount > 0)).toBe(true);
      expect((await run(shuffled(some, 4), 7)).join('\n')).toBe(expected.join('\n'));
      const few = some.slice(3, 6);
      const alone = expected.filter((line) => few.some(({ id }) => id === JSON.parse(line).id));
      expect((await run(few, 512)).join('\n')).toBe(alone.join('\n'));
    },
  );
});
