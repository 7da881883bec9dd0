/**
 * The committed golden vectors are the oracle's, and the oracle's are those of the shared reference program. To write
 * them anew after adding a case: UPDATE_VECTORS=1 npx vitest run test/oracle
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sharedFile } from './shared.ts';
import {
  type PairVector,
  pairExpectation,
  pairVectors,
  type RowVector,
  rowExpectation,
  rowVectors,
  vectorFile,
} from './vectors.ts';

/** Two float64 programs may round exp and log, and order their sums, differently. */
const FLOAT64_ROUNDING = 1e-12;

const folder = fileURLToPath(new URL('../vectors/', import.meta.url));

if (process.env.UPDATE_VECTORS === '1') {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}rows.json`, vectorFile(rowVectors()));
  writeFileSync(`${folder}pairs.json`, vectorFile(pairVectors()));
}

describe('committed vectors', () => {
  test('rows.json is what the oracle makes', () => {
    expectClose(read<RowVector>(`${folder}rows.json`), rowVectors());
  });

  test('pairs.json is what the oracle makes', () => {
    expectClose(read<PairVector>(`${folder}pairs.json`), pairVectors());
  });

  test('the bounds hold', () => {
    for (const { name, expect: values } of pairVectors()) {
      expect(values.jsd, name).toBeGreaterThanOrEqual(0);
      expect(values.jsd, name).toBeLessThanOrEqual(Math.LN2 + FLOAT64_ROUNDING);
      for (const { partial, lower, upper } of Object.values(values.topK)) {
        expect(partial, name).toBeLessThanOrEqual(lower + FLOAT64_ROUNDING);
        expect(lower, name).toBeLessThanOrEqual(values.jsd + FLOAT64_ROUNDING);
        expect(values.jsd, name).toBeLessThanOrEqual(upper + FLOAT64_ROUNDING);
      }
    }
  });
});

const sharedRows = sharedFile('vectors/rows.json');
const sharedPairs = sharedFile('vectors/pairs.json');

describe.skipIf(sharedRows === null || sharedPairs === null)('shared vectors', () => {
  test('rows', () => {
    const rows = read<RowVector>(sharedRows ?? '');
    expect(rows.length).toBeGreaterThan(0);
    for (const { logits, groups, target, k, expect: values } of rows) {
      expectClose(rowExpectation(logits, groups, target, k), values);
    }
  });

  test('pairs', () => {
    const pairs = read<PairVector>(sharedPairs ?? '');
    expect(pairs.length).toBeGreaterThan(0);
    for (const { a, b, expect: values } of pairs) {
      expectClose(pairExpectation(a, b, Object.keys(values.topK).map(Number)), values);
    }
  });
});

function read<T>(path: string): T[] {
  return JSON.parse(readFileSync(path, 'utf8')) as T[];
}

/** Equal shape and equal text; numbers within rounding, relative above 1. Whole numbers, and so ids, exactly. */
function expectClose(actual: unknown, wanted: unknown, path = '$'): void {
  if (typeof actual === 'number' && typeof wanted === 'number') {
    if (/\.(logits|a|b|groups|topKIds|unionSize|targetRank|target|k)\b/.test(path)) {
      expect(actual, path).toBe(wanted);
    } else {
      const allowed = FLOAT64_ROUNDING * Math.max(1, Math.abs(wanted));
      expect(Math.abs(actual - wanted), path).toBeLessThanOrEqual(allowed);
    }
  } else if (actual !== null && wanted !== null && typeof actual === 'object' && typeof wanted === 'object') {
    expect(Object.keys(actual), path).toEqual(Object.keys(wanted));
    for (const [key, value] of Object.entries(actual)) {
      expectClose(value, (wanted as Record<string, unknown>)[key], `${path}.${key}`);
    }
  } else {
    expect(actual, path).toEqual(wanted);
  }
}
