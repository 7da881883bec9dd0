/** Threads and similarities held against those of the original. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { innerProducts, normalizeRows } from '../../../../src/numbers/index.ts';
import { correctRuleOf, THREAD_TYPES, threadKey } from '../../../../src/suites/rules/index.ts';
import { buildRetrieval, type RetrievalRecord } from '../../../../src/suites/rules/retrieval/store/index.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { sharedPairs } from '../data.ts';
import { embedderOf } from './fake-embedder.ts';
import { FOLDER, type Keys, readJson, readMatrix, recordsOf, vectorsOf } from './vectors.ts';

/** Of a cosine in float32, summed in another order than the original does. */
const FLOAT32_SUMS = 2e-7;

describe.skipIf(FOLDER === null)('the original', () => {
  const keys = FOLDER === null ? (null as never) : readJson<Keys>('keys.json');

  it('knows the same of every thread, and leaves the same ones out', () => {
    const records = [...recordsOf('test'), ...recordsOf('train')];
    const hydrated = records.filter(({ text }) => text !== null);
    expect(hydrated.map(({ key }) => key).sort()).toEqual(Object.keys(keys.records).sort());
    const rules = new Map(
      (['test', 'train'] as const).flatMap((split) =>
        sharedPairs(split === 'test' ? 'dataset.json' : 'train.json').flatMap((pair) =>
          THREAD_TYPES.map((type) => [threadKey(split, pair, type), correctRuleOf(pair.threads[type])]),
        ),
      ) as [string, string][],
    );
    for (const record of hydrated) {
      const known = keys.records[record.key]!;
      expect([record.type, record.subreddit, record.subredditCluster, record.ruleCluster]).toEqual([
        known.thread_type,
        known.subreddit,
        known.subreddit_cluster_id,
        known.rule_cluster_id,
      ]);
      expect(rules.get(record.key)).toBe(known.correct_rule);
    }
    const withMedia = (split: string) =>
      new Set(records.filter((one) => one.hasMedia && one.key.startsWith(`${split}:`)).map(idOf));
    expect(withMedia('train')).toEqual(new Set(keys.source_pairs.train_with_media));
    expect(withMedia('test')).toEqual(new Set(keys.source_pairs.test_with_media));
  });

  it('finds the same cosines in float32', async () => {
    const matrix = keys.test_to_train_float32;
    const vectors = [...vectorsOf(keys).values()];
    const dimension = vectors[0]!.length;
    const all = Float32Array.from(vectors.flatMap((vector) => [...vector]));
    const unit = await normalizeRows(all, { dimension });
    const cut = matrix.shape[0] * dimension;
    const got = await innerProducts(unit.subarray(0, cut), unit.subarray(cut), { dimension });
    const { numbers } = readMatrix(matrix);
    expect(got).toHaveLength(numbers.length);
    numbers.forEach((want, i) => {
      expect(Math.abs(got[i]! - want)).toBeLessThan(FLOAT32_SUMS);
    });
  });

  it('rounds them to the same halves, but where a half lies within the rounding of float32', async () => {
    const records = { test: recordsOf('test'), train: recordsOf('train') };
    const table = new Map<string, Float32Array>();
    const vectors = vectorsOf(keys);
    for (const record of [...records.test, ...records.train]) {
      const vector = vectors.get(record.key);
      if (vector) table.set(textOf(record), vector);
    }
    const built = await buildRetrieval({
      queries: { split: 'test', records: records.test },
      candidates: { split: 'train', records: records.train },
      embedder: embedderOf((text) => table.get(text)!),
      out: temporaryFolder(),
      threads: 1,
    });
    const matrix = keys.test_to_train_float16;
    expect(built.sidecar.queries.keys).toEqual(matrix.queries);
    expect(built.sidecar.candidates.keys).toEqual(matrix.candidates);
    const [got, want] = [readFileSync(built.path), readFileSync(`${FOLDER}/${matrix.file}`)];
    expect(got).toHaveLength(want.length);
    const exact = readMatrix(keys.test_to_train_float32).numbers;
    const halves = readMatrix(matrix).numbers;
    let differing = 0;
    for (let i = 0; i < exact.length; i += 1) {
      if (got.readUInt16LE(i * 2) === want.readUInt16LE(i * 2)) continue;
      const step = 2 ** (Math.floor(Math.log2(Math.abs(exact[i]!))) - 10);
      const fromMiddle = Math.abs(Math.abs(exact[i]! - halves[i]!) - step / 2);
      expect(fromMiddle).toBeLessThan(FLOAT32_SUMS);
      differing += 1;
    }
    expect(differing).toBeLessThan(exact.length / 100);
  });
});

function idOf({ key }: RetrievalRecord): string {
  return key.split(':')[1]!;
}

/** What is embedded of a record: blank comments stand for one text. */
function textOf({ text }: RetrievalRecord): string {
  return text!.trim() === '' ? '[empty]' : text!;
}
