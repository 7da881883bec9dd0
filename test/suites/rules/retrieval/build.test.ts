/** The artifact: its numbers, its blocks, what is kept of a build that stops, and what is refused of one that is stale. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../../../src/errors.ts';
import {
  type BuildOptions,
  buildRetrieval,
  type Embedder,
  ExampleSelector,
  hashOrder,
  RetrievalArtifact,
} from '../../../../src/suites/rules/retrieval/store/index.ts';
import { faultOf } from '../../../fault.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { embedderOf, hashVector, IDENTITY, threads, tooLong } from './fake-embedder.ts';

const QUERIES = { split: 'test', records: threads('test', ['a cat', 'a dog', '', ' \t', 'a cat', null]) };
const CANDIDATES = {
  split: 'train',
  records: threads('train', ['a cat', 'two cats', 'rain', null, 'a cat', 'fog', 'hail']),
};

function options(out: string, more: Partial<BuildOptions> = {}): BuildOptions {
  const embedder = embedderOf(hashVector);
  return { queries: QUERIES, candidates: CANDIDATES, embedder, out, threads: 1, ...more };
}

/** In float64, of the vectors as they are. */
function cosine(a: string, b: string): number {
  const [x, y] = [hashVector(a), hashVector(b)];
  const product = (u: Float32Array, v: Float32Array) => u.reduce((sum, value, i) => sum + value * v[i]!, 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

/** Half a step of a half below 1, and what float32 loses. */
const HALF_STEP = 2 ** -12 + 2e-7;

describe('an artifact', () => {
  it('holds the cosine of each query with each candidate, blank comments as [empty], and leaves unhydrated ones out', async () => {
    const { path: matrix, sidecar } = await buildRetrieval(options(temporaryFolder()));
    expect(path.basename(matrix)).toBe('test_to_train_target_comment_similarity.f16');
    expect(sidecar.shape).toEqual([5, 6]);
    expect([sidecar.queries.notHydrated, sidecar.candidates.notHydrated]).toEqual([1, 1]);
    await using artifact = await RetrievalArtifact.open(matrix, {
      queries: QUERIES,
      candidates: CANDIDATES,
    });
    const queries = ['a cat', 'a dog', '[empty]', '[empty]', 'a cat'];
    const candidates = ['a cat', 'two cats', 'rain', 'a cat', 'fog', 'hail'];
    for (const [index, key] of sidecar.queries.keys.entries()) {
      const row = await artifact.row(key);
      if (row === null) throw new Error('no row');
      expect(row).toHaveLength(6);
      candidates.forEach((text, column) => {
        expect(Math.abs(row[column]! - cosine(queries[index]!, text))).toBeLessThan(HALF_STEP);
        expect(artifact.columnOf(sidecar.candidates.keys[column]!)).toBe(column);
      });
      // The same comment twice: the same bits.
      expect(row[0]).toBe(row[3]);
    }
    expect((await artifact.row('test:id0:violating'))![0]).toBe(1);
  });

  it('is the same file whatever the blocks', async () => {
    const files = await Promise.all(
      [undefined, { rows: 1, columns: 1 }, { rows: 2, columns: 4 }, { rows: 64, columns: 5 }].map(
        async (blocks) => {
          const built = await buildRetrieval(options(temporaryFolder(), blocks ? { blocks } : {}));
          return readFileSync(built.path);
        },
      ),
    );
    for (const file of files) expect(file).toEqual(files[0]);
    expect(files[0]).toHaveLength(5 * 6 * 2);
  });

  it('puts the prefix of a side in front of its comments', async () => {
    const embedder = embedderOf(hashVector);
    const queries = { ...QUERIES, prefix: 'Q: ' };
    const { sidecar } = await buildRetrieval(options(temporaryFolder(), { queries, embedder }));
    expect(embedder.asked).toEqual(
      expect.arrayContaining(['Q: a cat', 'Q: a dog', 'Q: [empty]', 'a cat', 'fog']),
    );
    expect(sidecar.queries.prefix).toBe('Q: ');
  });
});

describe('vectors', () => {
  it('are made once for a text, and kept for the next build', async () => {
    const out = temporaryFolder();
    const first = embedderOf(hashVector);
    await buildRetrieval(options(out, { embedder: first }));
    expect([...first.asked].sort()).toEqual(['[empty]', 'a cat', 'a dog', 'fog', 'hail', 'rain', 'two cats']);
    const second = embedderOf(hashVector);
    const queries = { split: 'val', records: threads('val', ['rain', 'snow']) };
    await buildRetrieval(options(out, { embedder: second, queries }));
    expect(second.asked).toEqual(['snow']);
    const other = embedderOf(hashVector, { ...IDENTITY, settings: { mode: 'fast' } });
    await buildRetrieval(options(out, { embedder: other, queries }));
    expect(other.asked).toHaveLength(6);
  });

  it('of a build that stopped are kept, and the artifact is the same as of one that did not', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `comment ${i}`);
    const queries = { split: 'test', records: threads('test', texts) };
    const whole = await buildRetrieval(options(temporaryFolder(), { queries }));
    const out = temporaryFolder();
    const controller = new AbortController();
    const stopping = options(out, {
      queries,
      signal: controller.signal,
      onProgress: (_, done) => {
        if (done >= 128) controller.abort();
      },
    });
    expect((await faultOf(buildRetrieval(stopping))).code).toBe('cancelled');
    // What a kill may leave: vectors that the index does not tell of, and half a line.
    const stem = storeOf(out);
    writeFileSync(`${stem}.f32`, Buffer.alloc(100, 7), { flag: 'a' });
    writeFileSync(`${stem}.jsonl`, '{"texts":["00', { flag: 'a' });
    const embedder = embedderOf(hashVector);
    const built = await buildRetrieval(options(out, { queries, embedder }));
    expect(embedder.asked).toHaveLength(300 + 5 - 128);
    expect(readFileSync(built.path)).toEqual(readFileSync(whole.path));
  });

  it('are asked for several calls at a time where the embedder takes them, in whatever order they come', async () => {
    const texts = Array.from({ length: 30 }, (_, i) => `comment ${i}`);
    const queries = { split: 'test', records: threads('test', texts) };
    const whole = await buildRetrieval(options(temporaryFolder(), { queries }));
    const plain = embedderOf(hashVector);
    let [calls, now, most] = [0, 0, 0];
    const embedder: Embedder = {
      ...plain,
      calls: { texts: 4, atOnce: 3 },
      async embed(own) {
        calls += 1;
        now += 1;
        most = Math.max(most, now);
        // The later calls are answered first.
        for (let turn = 40 - calls; turn > 0; turn -= 1) await Promise.resolve();
        now -= 1;
        return plain.embed(own);
      },
    };
    const built = await buildRetrieval(options(temporaryFolder(), { queries, embedder }));
    expect([calls, most, plain.asked.length]).toEqual([9, 3, 35]);
    expect(readFileSync(built.path)).toEqual(readFileSync(whole.path));
  });

  it('that were on their way are stopped after a fault, which is what is told; what has come is kept', async () => {
    const out = temporaryFolder();
    const texts = Array.from({ length: 30 }, (_, i) => `comment ${i}`);
    const queries = { split: 'test', records: threads('test', texts) };
    let stopped = 0;
    const plain = embedderOf(hashVector);
    const faulty: Embedder = {
      ...plain,
      calls: { texts: 5, atOnce: 3 },
      async embed(own, { signal } = {}) {
        if (own.includes('comment 0')) return plain.embed(own);
        if (own.includes('comment 15')) throw new AuditError('endpoint_failed', 'it is down');
        await new Promise((resolve) => signal!.addEventListener('abort', resolve));
        stopped += 1;
        throw new AuditError('cancelled', 'stopped');
      },
    };
    const fault = await faultOf(buildRetrieval(options(out, { queries, embedder: faulty })));
    expect([fault.code, fault.message, stopped]).toEqual(['endpoint_failed', 'it is down', 2]);
    const embedder = embedderOf(hashVector);
    await buildRetrieval(options(out, { queries, embedder }));
    expect(embedder.asked).toHaveLength(30 + 5 - 5);
  });

  it('that are missing are told with their threads, and the others are kept', async () => {
    const out = temporaryFolder();
    const failing = embedderOf((text) => (text === 'rain' ? tooLong() : hashVector(text)));
    const fault = await faultOf(buildRetrieval(options(out, { embedder: failing })));
    expect(fault.code).toBe('context_overflow');
    expect(fault.data).toMatchObject({ keys: ['train:id1:violating'], tokens: 900 });
    const embedder = embedderOf(hashVector);
    await buildRetrieval(options(out, { embedder }));
    expect(embedder.asked).toEqual(['rain']);
  });

  it('of comments that are too long can be done without: no example, and as a target none', async () => {
    const embedder = embedderOf((text) => (/rain|dog/.test(text) ? tooLong() : hashVector(text)));
    const built = await buildRetrieval(options(temporaryFolder(), { embedder, leaveOutTooLong: true }));
    const { queries, candidates, shape } = built.sidecar;
    expect([queries.tooLong, candidates.tooLong, shape]).toEqual([
      ['test:id0:compliant'],
      ['train:id1:violating'],
      [4, 5],
    ]);
    const use = { queries: QUERIES, candidates: CANDIDATES };
    await using artifact = await RetrievalArtifact.open(built.path, use);
    const selector = new ExampleSelector(CANDIDATES.records, artifact, hashOrder());
    const settings = { k: 9, filter: 'none', balance: 'top' } as const;
    expect(await selector.select(QUERIES.records[1]!, settings)).toEqual([]);
    const examples = await selector.select(QUERIES.records[0]!, settings);
    expect(examples.map(({ key }) => key).sort()).toEqual([...candidates.keys].sort());
    const changed = threads('train', ['a cat', 'two cats', 'RAIN', null, 'a cat', 'fog', 'hail']);
    const other = { ...use, candidates: { ...CANDIDATES, records: changed } };
    expect((await faultOf(RetrievalArtifact.open(built.path, other))).code).toBe('retrieval_stale');
    const all = embedderOf(tooLong);
    const none = options(temporaryFolder(), { embedder: all, leaveOutTooLong: true });
    expect((await faultOf(buildRetrieval(none))).code).toBe('data_empty');
  });

  it.each([
    ['of zeros', () => new Float32Array(24), 'bad_argument'],
    ['with NaN', () => new Float32Array(24).fill(Number.NaN), 'not_finite'],
    ['of several lengths', (text: string) => new Float32Array(text.length + 1).fill(1), 'length_mismatch'],
  ] as const)('%s are refused', async (_, vectorOf, code) => {
    const fault = await faultOf(
      buildRetrieval(options(temporaryFolder(), { embedder: embedderOf(vectorOf) })),
    );
    expect(fault.code).toBe(code);
  });

  it('in a damaged store are refused with what to do', async () => {
    const out = temporaryFolder();
    await buildRetrieval(options(out));
    const stem = storeOf(out);
    truncateSync(`${stem}.f32`, 50);
    expect((await faultOf(buildRetrieval(options(out)))).message).toMatch(/50 bytes.*delete both/);
    writeFileSync(`${stem}.jsonl`, 'no index\n');
    const fault = await faultOf(buildRetrieval(options(out)));
    expect([fault.code, fault.data.row]).toEqual(['data_malformed', 1]);
  });
});

/** The store of vectors in a folder, without the ends of its two names. */
function storeOf(out: string): string {
  const stores = readdirSync(out).filter((name) => /^embeddings-[0-9a-f]{16}\.f32$/.test(name));
  expect(stores).toHaveLength(1);
  return path.join(out, path.basename(stores[0]!, '.f32'));
}
