/** Data as they come: pairs of a document, faults of them, and options that are made where the data have none. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DatasetRow, openDataset } from '../../../src/dataset/index.ts';
import {
  answerOptions,
  pairSchema,
  pairsOf,
  SUBREDDITS_AT,
  targetOf,
} from '../../../src/suites/rules/index.ts';
import { sharedPairs } from './data.ts';
import { VECTORS } from './vectors.ts';

const SMALL = new URL('small.json', import.meta.url).pathname;

function small(change: (pair: Record<string, unknown>, subreddit: Record<string, unknown>) => void): unknown {
  const document = JSON.parse(readFileSync(SMALL, 'utf8'));
  const [subreddit] = document.subreddits;
  change(subreddit.thread_pairs[0], subreddit);
  return pairsOf(subreddit)[0];
}

describe('pairs', () => {
  it('are the rows of a document, each with its own place', async () => {
    const rows: DatasetRow[] = [];
    for await (const row of openDataset(SMALL, { rowsAt: SUBREDDITS_AT, unfold: pairsOf }).rows())
      rows.push(row);
    expect(rows.map(({ index }) => index)).toEqual([0, 1, 2]);
    const pairs = rows.map(({ value }) => pairSchema.parse(value));
    expect(pairs.map(({ id }) => id)).toEqual(['abc1', 'abc2', 'abc3']);
    expect(pairs[0]).toMatchObject({
      subreddit: { name: 'Tea', rules: [{ name: 'No ads' }, { name: 'Be kind' }] },
      submission: { title: 'My tea', hasMedia: false, images: [] },
      metadata: { rule_cluster_label: 'trade', subreddit_cluster_label: 'drinks', subreddit_language: 'en' },
    });
    expect(pairs.map((pair) => targetOf(pair.threads.violating).dehydrated)).toEqual([false, false, true]);
  });

  it('have options and right answers made of the rules where the data bring none', () => {
    const pair = pairSchema.parse(small(() => undefined));
    expect(pair.threads.violating.options).toEqual(answerOptions('abc1', 'violating', ['No ads', 'Be kind']));
    const rule = (type: 'violating' | 'compliant') =>
      pair.threads[type].options.find(({ label }) => label === pair.threads[type].correct)!.rule;
    expect([rule('violating'), rule('compliant')]).toEqual(['No ads', 'No rules broken']);
  });

  it.skipIf(VECTORS === null)('of the shared data have the options that would be made', () => {
    const pairs = [...sharedPairs('dataset.json'), ...sharedPairs('train.json')];
    expect(pairs.length).toBe(63);
    for (const { id, subreddit, threads } of pairs) {
      const names = subreddit.rules.map(({ name }) => name).filter((name) => name !== '');
      expect(threads.violating.options).toEqual(answerOptions(id, 'violating', names));
      expect(threads.compliant.options).toEqual(answerOptions(id, 'compliant', names));
    }
  });

  it.each([
    ['no pairs', (_: unknown, subreddit: Record<string, unknown>) => delete subreddit.thread_pairs, /pair/],
    ['no id', (pair: Record<string, unknown>) => delete pair.mod_comment_id, /mod_comment_id/],
    [
      'an id that is no seed',
      (pair: Record<string, unknown>) => Object.assign(pair, { mod_comment_id: 'Zz-9' }),
      /base 36/,
    ],
    [
      'a thread without comments',
      (pair: Record<string, unknown>) => Object.assign(pair, { compliant_thread: [] }),
      /its last one is the target/,
    ],
    [
      'a rule that there is not',
      (pair: Record<string, unknown>) => Object.assign(pair, { metadata: { rule: 'x' } }),
      /no option is "x"/,
    ],
    [
      'an answer that is not offered',
      (pair: Record<string, unknown>) => Object.assign(pair, { violating_correct_answer: '(q)' }),
      /\(q\) is no label/,
    ],
    [
      'a time that is none',
      (pair: Record<string, unknown>) =>
        Object.assign(pair, { violating_thread: [{ body: 'x', created_utc: 'soon' }] }),
      /violating_thread|seconds/,
    ],
  ])('with %s are refused', (_, change, message) => {
    const read = pairSchema.safeParse(small(change as Parameters<typeof small>[0]));
    expect(read.success).toBe(false);
    const told = read.error!.issues.map(({ path, message: what }) => `${path.join('.')}: ${what}`);
    expect(told.join('; ')).toMatch(message);
  });
});
