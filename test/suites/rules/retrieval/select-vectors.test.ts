/** Selections and votes held against those of the original, on its own matrices. */
import { describe, expect, it } from 'vitest';
import { pythonOrder } from '../../../../src/suites/rules/index.ts';
import {
  ExampleSelector,
  hashOrder,
  type RandomOrder,
  type RetrievalBalance,
  type RetrievalFilter,
  ragVote,
} from '../../../../src/suites/rules/retrieval/store/index.ts';
import {
  FOLDER,
  type Keys,
  optionsOf,
  readJson,
  readJsonLines,
  readMatrix,
  recordsOf,
  type SplitName,
} from './vectors.ts';

interface Row {
  readonly source: SplitName;
  readonly dtype: 'float16' | 'float32';
  readonly k: number;
  readonly filter: RetrievalFilter;
  readonly balance: RetrievalBalance;
  readonly target: string;
  readonly tie: boolean;
  readonly examples: readonly (readonly [string, number])[];
}

interface VoteRow {
  readonly setting: string;
  readonly target: string;
  readonly prediction: string;
  readonly tie: boolean;
  readonly votes: readonly (readonly [string, number])[];
}

describe.skipIf(FOLDER === null)('the original', () => {
  const keys = FOLDER === null ? (null as never) : readJson<Keys>('keys.json');
  const setUp = (order: RandomOrder = hashOrder()) => {
    const targets = new Map(recordsOf('test').map((record) => [record.key, record]));
    const selectors = new Map<string, ExampleSelector>();
    const selectorOf = (source: SplitName, dtype: 'float16' | 'float32') => {
      const name = `test_to_${source}_${dtype}` as 'test_to_train_float16';
      const known = selectors.get(name);
      if (known) return known;
      const made = new ExampleSelector(recordsOf(source), readMatrix(keys[name]), order);
      selectors.set(name, made);
      return made;
    };
    return { targets, selectorOf };
  };

  it('selects the same examples in the same order, and of equals as similar ones', async () => {
    const { targets, selectorOf } = setUp();
    const rows = readJsonLines<Row>('selections.jsonl').filter(({ balance }) => balance !== 'random');
    expect(rows).toHaveLength(1056);
    let ties = 0;
    for (const row of rows) {
      const got = await selectorOf(row.source, row.dtype).select(targets.get(row.target)!, row);
      const want = row.examples.map(([key, score]) => ({ key, score }));
      const scores = (examples: readonly { score: number }[]) => examples.map(({ score }) => score);
      if (row.tie) expect(scores(got), JSON.stringify(row)).toEqual(scores(want));
      else expect(got, JSON.stringify(row)).toEqual(want);
      ties += Number(row.tie);
    }
    expect(ties).toBe(150);
  });

  it("draws the same examples with Python's shuffle", async () => {
    const { targets, selectorOf } = setUp(pythonOrder);
    const rows = readJsonLines<Row>('selections.jsonl').filter(({ balance }) => balance === 'random');
    expect(rows).toHaveLength(416);
    for (const row of rows) {
      const got = await selectorOf(row.source, row.dtype).select(targets.get(row.target)!, row);
      const want = row.examples.map(([key, score]) => ({ key, score }));
      expect(got, JSON.stringify(row)).toEqual(want);
    }
  });

  it('draws of the same pool: as many, and never one that is excluded', async () => {
    const { targets, selectorOf } = setUp();
    const rows = readJsonLines<Row>('selections.jsonl').filter(({ balance }) => balance === 'random');
    const media = new Set([...keys.source_pairs.train_with_media, ...keys.source_pairs.test_with_media]);
    for (const row of rows) {
      const got = await selectorOf(row.source, 'float16').select(targets.get(row.target)!, row);
      expect(got).toHaveLength(row.examples.length);
      for (const { key, score } of got) {
        expect([score, key === row.target, media.has(key.split(':')[1]!)]).toEqual([0, false, false]);
        expect(keys.records).toHaveProperty([key]);
      }
    }
  });

  it('takes the same vote', async () => {
    const options = optionsOf();
    const { targets, selectorOf } = setUp();
    const { votes } = readJson<{ votes: VoteRow[] }>('vote.json');
    let own = 0;
    for (const { setting, target, prediction, tie, votes: given } of votes) {
      // On the list that is given, whose ties the original left open.
      const listed = given.map(([correctRule, score], rank) => ({ key: String(rank), correctRule, score }));
      const vote = ragVote(listed, options.get(target)!);
      expect(vote.prediction ?? '', `${setting} ${target}`).toBe(prediction);
      const [k, filter, balance] = setting.split('/') as [string, RetrievalFilter, RetrievalBalance];
      if (tie || balance === 'random') continue;
      const settings = { k: Number(k), filter, balance };
      const examples = await selectorOf('train', 'float16').select(targets.get(target)!, settings);
      const voting = examples.map((one) => ({ ...one, correctRule: keys.records[one.key]!.correct_rule }));
      const whole = ragVote(voting, options.get(target)!);
      expect(whole.prediction ?? '', `${setting} ${target}`).toBe(prediction);
      expect(whole.votes.map(({ rule, score }) => [rule, score])).toEqual(given);
      own += 1;
    }
    expect(own).toBeGreaterThan(50);
  });
});
