/** Bounds from lists of the likeliest tokens hold the exact value, on every row and for every list. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { openModel } from '../../src/model/index.ts';
import {
  type BoundColumns,
  type ListedRows,
  listedPairMetrics,
  listedPairMetricsSync,
  listedRowMetrics,
  listedRowMetricsSync,
  pairMetricsSync,
} from '../../src/numbers/index.ts';
import { jsd, mass, softmax } from '../oracle/metrics.ts';
import { sharedFile } from '../oracle/shared.ts';
import { type PairVector, pairVectors, type RowVector, rowVectors } from '../oracle/vectors.ts';
import { LOGITS } from './helpers.ts';
import { likeliest, listsOf } from './lists.ts';

const KS = [1, 5, 20];

/** The oracle's own sums of probabilities may miss by this: a rest of less than 0, a divergence of more than ln 2. */
const ORACLE_SUMS = 1e-15;

function expectHeld({ lower, upper }: BoundColumns, exact: readonly number[], what: string): void {
  expect(lower.length, what).toBe(exact.length);
  exact.forEach((value, at) => {
    expect(lower[at]!, `${what} ${at}`).toBeLessThanOrEqual(value + ORACLE_SUMS);
    expect(upper[at]!, `${what} ${at}`).toBeGreaterThanOrEqual(value - ORACLE_SUMS);
  });
}

const gapOf = (masses: readonly number[]) =>
  masses.length < 2 ? 0 : Math.max(...masses) - Math.min(...masses);

/** Masses and gap of rows for both readings of a group, against float64 sums over the whole rows. */
function expectMassesHeld(
  rows: readonly (readonly number[])[],
  groups: readonly (readonly number[])[],
  k: number,
  error = 0,
): void {
  const exact = rows.map((p) => groups.map((ids) => mass(p, ids)));
  for (const complete of [true, false]) {
    const bounds = listedRowMetricsSync(listsOf(rows, k, error), {
      groups: groups.map((ids) => Int32Array.from(ids)),
      complete,
    });
    expectHeld(bounds.masses, exact.flat(), `masses, top ${k}`);
    expectHeld(bounds.gap, exact.map(gapOf), `gap, top ${k}`);
    const rest = rows.map((p) => 1 - likeliest(p, k).reduce((sum, id) => sum + p[id]!, 0));
    expectHeld(bounds.rest, rest, `rest, top ${k}`);
  }
}

function expectDivergencesHeld(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
  k: number,
  error = 0,
): void {
  const exact = a.map((p, row) => jsd(p, b[row]!));
  expectHeld(listedPairMetricsSync(listsOf(a, k, error), listsOf(b, k, error)).jsd, exact, `jsd, top ${k}`);
}

const stored = (logits: readonly (number | '-inf')[]) =>
  softmax(logits.map((z) => (z === '-inf' ? Number.NEGATIVE_INFINITY : z)));

function shared<T>(file: string): T[] {
  const path = sharedFile(`vectors/${file}`);
  return path === null ? [] : JSON.parse(readFileSync(path, 'utf8'));
}

describe('the golden vectors', () => {
  test.each([...rowVectors(), ...shared<RowVector>('rows.json')])(
    'of the row $name are held',
    ({ logits, groups }) => {
      for (const k of KS) expectMassesHeld([stored(logits)], groups, k);
    },
  );

  test.each([...pairVectors(), ...shared<PairVector>('pairs.json')])(
    'of the pair $name are held',
    ({ a, b, expect: wanted }) => {
      for (const k of KS) {
        expectDivergencesHeld([stored(a)], [stored(b)], k);
        const { jsd: bounds } = listedPairMetricsSync(listsOf([stored(a)], k), listsOf([stored(b)], k));
        expectHeld(bounds, [wanted.jsd], 'the value of the vector');
      }
    },
  );

  it('are bounded no closer than by all of the union, which an endpoint does not give', () => {
    for (const { a, b } of pairVectors()) {
      const vocab = a.length;
      const logits = [a, b].map((row) =>
        Float32Array.from(row, (z) => (z === '-inf' ? Number.NEGATIVE_INFINITY : z)),
      );
      const k = Math.min(5, vocab);
      const whole = pairMetricsSync(logits[0]!, logits[1]!, { vocab, topK: [k] }).topK[0]!;
      const { jsd: listed } = listedPairMetricsSync(listsOf([stored(a)], k), listsOf([stored(b)], k));
      expect(listed.upper[0]!).toBeGreaterThanOrEqual(whole.upper[0]! - LOGITS);
    }
  });
});

const MODEL = sharedFile('models/stories260K.gguf');

describe.skipIf(MODEL === null)('rows of a real model', () => {
  const FEMALE = [358, 391, 294];
  const MALE = [281, 319, 368];

  it('are held for both groups and every pair, top 1, 5 and 20', async () => {
    await using model = await openModel(MODEL!, { threads: 1 });
    const words = ['nurse', 'farmer', 'cook', 'king', 'teacher', 'dog', 'mother', 'boy'];
    const requests = words.map((word) => ({
      kind: 'pair' as const,
      text: `The ${word} said that she`,
      textSwap: `The ${word} said that he`,
      steps: 'decode' as const,
      maxTokens: 12,
    }));
    const vocab = model.info.vocabSize;
    const groups = [FEMALE, MALE];
    const measure = { groups: groups.map((ids) => Int32Array.from(ids)), topK: vocab, pairTopK: [] };
    const { rows, pairs } = await model.observeWindow(requests, measure);
    expect(pairs.pairs).toBe(words.length * 12);
    const whole = Array.from({ length: rows.rows }, (_, row) => {
      const p = new Array<number>(vocab).fill(0);
      for (let at = 0; at < vocab; at += 1)
        p[rows.topKIds[row * vocab + at]!] = rows.topKProbs[row * vocab + at]!;
      const sum = p.reduce((total, own) => total + own, 0);
      return p.map((own) => own / sum);
    });
    const a = [...pairs.row].map((row) => whole[row]!);
    const b = [...pairs.rowSwap].map((row) => whole[row]!);
    for (const k of KS) {
      expectMassesHeld(whole, groups, k);
      expectDivergencesHeld(a, b, k);
      // The engine's own numbers, which are known to some 1e-6.
      const error = 2 * LOGITS;
      const masses = listedRowMetricsSync(listsOf(whole, k, error), {
        groups: measure.groups,
        complete: true,
      });
      expectHeld(masses.masses, [...rows.masses], `the engine's masses, top ${k}`);
      const { jsd: bounds } = listedPairMetricsSync(listsOf(a, k, error), listsOf(b, k, error));
      expectHeld(bounds, [...pairs.jsd], `the engine's jsd, top ${k}`);
    }
  });
});

/** Probabilities of whole-number weights: ties and zeros come often, and a sum is never far from 1. */
const distribution = (vocab: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(0, 1, 1000), fc.integer({ min: 0, max: 100_000 })), {
      minLength: vocab,
      maxLength: vocab,
    })
    .filter((weights) => weights.some((weight) => weight > 0))
    .map((weights) => {
      const sum = weights.reduce((total, weight) => total + weight, 0);
      return weights.map((weight) => weight / sum);
    });
const some = fc.integer({ min: 1, max: 40 });

describe('for all distributions', () => {
  it('masses and gaps are held, of two groups or three', () => {
    const inputs = some.chain((vocab) =>
      fc.tuple(
        distribution(vocab),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: vocab, maxLength: vocab }),
        fc.integer({ min: 1, max: vocab }),
      ),
    );
    fc.assert(
      fc.property(inputs, ([p, groupOf, k]) => {
        const groups = [0, 1, 2].map((group) => p.flatMap((_, id) => (groupOf[id] === group ? [id] : [])));
        expectMassesHeld([p], groups, k);
        expectMassesHeld([p], groups.slice(0, 2), k);
      }),
    );
  });

  it('divergences are held, and swapped sides give the same', () => {
    const inputs = some.chain((vocab) =>
      fc.tuple(distribution(vocab), distribution(vocab), fc.integer({ min: 1, max: vocab })),
    );
    fc.assert(
      fc.property(inputs, ([p, q, k]) => {
        expectDivergencesHeld([p], [q], k);
        const [one, other] = [
          listedPairMetricsSync(listsOf([p], k), listsOf([q], k)).jsd,
          listedPairMetricsSync(listsOf([q], k), listsOf([p], k)).jsd,
        ];
        expect(one.lower[0]!).toBeCloseTo(other.lower[0]!, 9);
        expect(one.upper[0]!).toBeCloseTo(other.upper[0]!, 12);
        // A longer list is never worse, and that of everything leaves nothing open.
        const all = listedPairMetricsSync(listsOf([p], p.length), listsOf([q], p.length)).jsd;
        expect(all.upper[0]! - all.lower[0]!).toBeLessThan(1e-12);
        expect(one.lower[0]!).toBeLessThanOrEqual(all.lower[0]! + 1e-12);
      }),
    );
  });

  it('listed numbers that are off by as much as is allowed change nothing of that', () => {
    const error = 0.01;
    const inputs = fc
      .integer({ min: 2, max: 20 })
      .chain((vocab) =>
        fc.tuple(
          distribution(vocab),
          distribution(vocab),
          fc.integer({ min: 1, max: vocab }),
          fc.array(fc.integer({ min: -10, max: 10 }), { minLength: vocab, maxLength: vocab }),
        ),
      );
    fc.assert(
      fc.property(inputs, ([p, q, k, off]) => {
        const blurred = (lists: ListedRows): ListedRows => {
          const logProbs = lists.logProbs.map((z, at) => z + (off[lists.keys[at]!]! / 10) * error * 0.999);
          return { ...lists, logProbs, error };
        };
        // What is listed with more than 1 in all is refused, and no list of a server.
        const lists = [p, q].map((row) => blurred(listsOf([row], k)));
        const exact = jsd(p, q);
        expectHeld(listedPairMetricsSync(lists[0]!, lists[1]!).jsd, [exact], 'jsd');
        const groups = [Int32Array.of(0), Int32Array.of(1)];
        const { masses } = listedRowMetricsSync(lists[0]!, { groups, complete: true });
        expectHeld(masses, [p[0]!, p[1]!], 'masses');
      }),
    );
  });
});

describe('lists that are none', () => {
  const lists = (more: Partial<ListedRows>): ListedRows => ({
    offsets: Uint32Array.of(0, 2),
    keys: Int32Array.of(1, 2),
    logProbs: Float64Array.of(-1, -2),
    mostUnlisted: Float64Array.of(-2),
    ...more,
  });

  test.each([
    ['too few offsets', { offsets: Uint32Array.of(0) }, 'length_mismatch', 'rows + 1 offsets'],
    ['offsets beyond the keys', { offsets: Uint32Array.of(0, 3) }, 'out_of_range', 'row 0'],
    ['a key twice', { keys: Int32Array.of(1, 1) }, 'bad_argument', 'listed twice'],
    ['a probability above 1', { logProbs: Float64Array.of(-1, 0.5) }, 'bad_argument', 'above 0'],
    ['more than 1 in all', { logProbs: Float64Array.of(-0.1, -0.1) }, 'bad_argument', 'more than 1'],
    ['NaN', { logProbs: Float64Array.of(-1, Number.NaN) }, 'not_finite', 'NaN'],
    ['a negative error', { error: -1 }, 'bad_argument', 'error'],
    ['an array that is none', { keys: [1, 2] as unknown as Int32Array }, 'bad_argument', 'keys'],
  ])('%s: refused by both ways of both functions', async (_, more, code, message) => {
    const bad = lists(more);
    const refusal = { code, message: expect.stringContaining(message) };
    await expect((async () => listedRowMetricsSync(bad))()).rejects.toMatchObject(refusal);
    await expect((async () => listedPairMetricsSync(lists({}), bad))()).rejects.toMatchObject(refusal);
    await expect((async () => listedRowMetrics(bad))()).rejects.toMatchObject(refusal);
    await expect((async () => listedPairMetrics(bad, lists({})))()).rejects.toMatchObject(refusal);
  });

  it('and as many rows as there are not on the other side', async () => {
    const two = lists({ offsets: Uint32Array.of(0, 1, 2), mostUnlisted: Float64Array.of(-1, -1) });
    await expect(listedPairMetrics(lists({}), two)).rejects.toMatchObject({ code: 'length_mismatch' });
  });
});
