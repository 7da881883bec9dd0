/** Which examples are chosen, by hand and for any pool. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BALANCES,
  type Example,
  ExampleSelector,
  FILTERS,
  hashOrder,
  type RetrievalRecord,
  type SelectionSettings,
  type Similarities,
} from '../../../../src/suites/rules/retrieval/store/index.ts';
import { fault, faultOf } from '../../../fault.ts';

type Changes = Partial<RetrievalRecord>;

function record(id: string, type: 'violating' | 'compliant', changes: Changes = {}): RetrievalRecord {
  return {
    key: `train:${id}:${type}`,
    type,
    text: 'text',
    subreddit: 'one',
    subredditCluster: 1,
    ruleCluster: 1,
    hasMedia: false,
    ...changes,
  };
}

/** The same scores for every query. */
function scores(of: ReadonlyMap<string, number>): Similarities {
  const keys = [...of.keys()];
  return { columnOf: (key) => keys.indexOf(key), row: async () => [...of.values()] };
}

const TARGET = record('t', 'violating', { key: 'test:t:violating' });

async function selected(
  pool: readonly (readonly [RetrievalRecord, number])[],
  settings: Partial<SelectionSettings>,
  target = TARGET,
): Promise<string[]> {
  const table = new Map(pool.map(([{ key }, score]) => [key, score]));
  const records = pool.map(([one]) => one);
  const selector = new ExampleSelector(records, scores(table), hashOrder());
  const whole = { k: 4, filter: 'none', balance: 'top', ...settings } as const;
  const examples: Example[] = await selector.select(target, whole);
  for (const { key, score } of examples) {
    expect(score).toBe(whole.balance === 'random' ? 0 : table.get(key));
  }
  return examples.map(({ key }) => key.split(':').slice(1).join(' '));
}

const POOL = [
  [record('a', 'violating'), 0.2],
  [record('a', 'compliant'), 0.9],
  [record('b', 'violating'), 0.5],
  [record('b', 'compliant'), 0.8],
  [record('c', 'violating'), -0.1],
  [record('c', 'compliant'), 0.7],
] as const;

describe('examples', () => {
  it('of balance top are the nearest', async () => {
    expect(await selected(POOL, { k: 3 })).toEqual(['a compliant', 'b compliant', 'c compliant']);
    expect(await selected(POOL, { k: 99 })).toHaveLength(6);
    expect(await selected(POOL, { k: 0 })).toEqual([]);
  });

  it('of balance mixed are the nearest of either kind, the larger half violating, then what is missing', async () => {
    const mixed = (k: number, pool: readonly (readonly [RetrievalRecord, number])[] = POOL) =>
      selected(pool, { k, balance: 'mixed' });
    expect(await mixed(1)).toEqual(['b violating']);
    expect(await mixed(3)).toEqual(['b violating', 'a violating', 'a compliant']);
    expect(await mixed(4)).toEqual(['b violating', 'a violating', 'a compliant', 'b compliant']);
    const one = POOL.filter(([{ key }]) => !key.includes('violating') || key.includes('c'));
    expect(await mixed(4, one)).toEqual(['c violating', 'a compliant', 'b compliant', 'c compliant']);
    expect(await mixed(5, one)).toHaveLength(4);
  });

  it('as similar as each other go by key, in any order of the data', async () => {
    const equal = ['d', 'b', 'c', 'a'].map((id) => [record(id, 'violating'), 0.5] as const);
    const want = ['a violating', 'b violating'];
    expect(await selected(equal, { k: 2 })).toEqual(want);
    expect(await selected(equal.toReversed(), { k: 2 })).toEqual(want);
    const zeros = [[record('b', 'violating'), 0] as const, [record('a', 'violating'), -0] as const];
    expect(await selected(zeros, { k: 2 })).toEqual(want);
  });

  it.each([
    ['subreddit', { subreddit: 'other' }],
    ['subreddit-cluster', { subredditCluster: '1' }],
    ['rule-cluster', { ruleCluster: 2 }],
  ] as const)('of filter %s have it in common with the target', async (filter, changes) => {
    const pool = [...POOL.slice(0, 2), [record('x', 'violating', changes), 1] as const];
    expect(await selected(pool, { filter })).toEqual(['a compliant', 'a violating']);
    const unlike = { ...TARGET, subreddit: 'nowhere', subredditCluster: 7, ruleCluster: 7 };
    expect(await selected(pool, { filter }, unlike)).toEqual([]);
    expect(await selected(pool, { filter: 'none' })).toHaveLength(3);
  });

  it('are none for a target without a cluster, even where candidates have none', async () => {
    const pool = [[record('x', 'violating', { subredditCluster: null }), 1] as const];
    const target = { ...TARGET, subredditCluster: null };
    expect(await selected(pool, { filter: 'subreddit-cluster' }, target)).toEqual([]);
  });

  it('are never the target, of pairs with media, or not hydrated', async () => {
    const pool = [
      [{ ...TARGET }, 1],
      [record('m', 'violating', { hasMedia: true }), 0.9],
      [record('n', 'violating', { text: null }), 0.8],
      [record('e', 'violating', { text: '' }), 0.1],
      // The other thread of the target's own pair is not the target.
      [record('t', 'compliant', { key: 'test:t:compliant' }), 0.05],
    ] as const;
    for (const balance of BALANCES) {
      const got = await selected(pool, { balance });
      expect(got.sort()).toEqual(['e violating', 't compliant']);
    }
  });

  it('that are drawn depend on seed, target and candidate alone', async () => {
    const all = 'abcdefghij'.split('').map((id) => record(id, 'violating'));
    const draw = (records: readonly RetrievalRecord[], seed = 0, target = TARGET) =>
      new ExampleSelector(records, null, hashOrder(seed)).select(target, {
        k: 5,
        filter: 'none',
        balance: 'random',
      });
    const first = await draw(all);
    expect(await draw(all.toReversed())).toEqual(first);
    // Without one that was not drawn, the draw stays.
    const drawn = new Set(first.map(({ key }) => key));
    const undrawn = all.find(({ key }) => !drawn.has(key))!;
    expect(await draw(all.filter((one) => one !== undrawn))).toEqual(first);
    expect(await draw(all, 1)).not.toEqual(first);
    expect(await draw(all, 0, { ...TARGET, key: 'test:u:violating' })).not.toEqual(first);
  });

  it('of any pool: as many as there are up to k, each once, in order, and the more similar ones', async () => {
    const pools = fc.uniqueArray(
      fc.record({ id: fc.nat(30), compliant: fc.boolean(), score: fc.integer({ min: -3, max: 3 }) }),
      { selector: ({ id, compliant }) => `${id} ${compliant}`, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(pools, fc.nat(12), async (entries, k) => {
        const pool = entries.map(
          ({ id, compliant, score }) =>
            [record(`r${id}`, compliant ? 'compliant' : 'violating'), score / 3] as const,
        );
        const sorted = [...pool]
          .sort(([a, s], [b, t]) => t - s || (a.key < b.key ? -1 : 1))
          .map(([{ key }]) => key.split(':').slice(1).join(' '));
        expect(await selected(pool, { k })).toEqual(sorted.slice(0, k));
        const mixed = await selected(pool, { k, balance: 'mixed' });
        expect(new Set(mixed).size).toBe(Math.min(k, pool.length));
        const violating = sorted.filter((key) => key.endsWith('violating'));
        expect(mixed.slice(0, Math.ceil(k / 2))).toEqual(
          expect.arrayContaining(violating.slice(0, Math.ceil(k / 2))),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('what cannot be', () => {
  it.each([
    [{ k: -1 }, 'k'],
    [{ k: 1.5 }, 'k'],
    [{ filter: 'toString' as never }, 'filter'],
  ])('is refused: %j', async (settings, key) => {
    const selector = new ExampleSelector([record('a', 'violating')], scores(new Map()), hashOrder());
    const whole = { k: 1, filter: FILTERS[0]!, balance: BALANCES[0], ...settings };
    const error = await faultOf(selector.select(TARGET, whole));
    expect([error.code, error.data.key]).toEqual(['bad_argument', key]);
  });

  it('is refused: similarities without any, and a thread that is there twice', async () => {
    const selector = new ExampleSelector([record('a', 'violating')], null, hashOrder());
    const error = await faultOf(selector.select(TARGET, { k: 1, filter: 'none', balance: 'mixed' }));
    expect(error.message).toContain('retrieval build');
    const twice = fault(
      () => new ExampleSelector([record('a', 'violating'), record('a', 'violating')], null, hashOrder()),
    );
    expect([twice.code, twice.data.key]).toEqual(['data_malformed', 'train:a:violating']);
  });
});
