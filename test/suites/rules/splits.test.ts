/** Splits read from files, and their pairs as retrieval sees them. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSplits, retrievalRecords } from '../../../src/suites/rules/index.ts';
import { faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';

interface Given {
  readonly submission?: Readonly<Record<string, unknown>> | string;
  readonly target?: unknown;
}

function pair(id: string, submission: string, target: unknown) {
  return {
    mod_comment_id: id,
    violating_thread: [{ id: 'c1', body: 'before' }, target],
    compliant_thread: [{ id: 'c2', body: ' fine ' }],
    metadata: { rule: 'Be kind', rule_cluster_id: 3, rule_cluster_label: 'kind', submission_id: submission },
  };
}

function document(split: unknown, pairs: Readonly<Record<string, Given>>): string {
  const entries = Object.entries(pairs);
  return JSON.stringify({
    metadata: { split },
    subreddits: [
      {
        subreddit: 'kettles',
        rules: [{ short_name_clean: 'Be kind' }],
        submissions: Object.fromEntries(entries.map(([id, { submission = {} }]) => [`s${id}`, submission])),
        thread_pairs: entries.map(([id, { target = { body: 'rude' } }]) => pair(id, `s${id}`, target)),
      },
    ],
  });
}

function write(name: string, text: string, folder = temporaryFolder()): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('splits', () => {
  it('are read from the files that say so, several as one, and others are left alone', async () => {
    const folder = temporaryFolder();
    const one = write('one.json', document('test', { aa: {} }), folder);
    const other = write('val.json', document('val', { zz: {} }), folder);
    const two = write('two.json', `\ufeff${document('test', { bb: {}, cc: {} })}`, folder);
    const train = write('train.json', document('train', { aa: {} }), folder);
    const { splits, files } = await readSplits([one, other, two, train], ['test', 'train']);
    const ids = splits.map(({ split, pairs }) => [split, pairs.map(({ id }) => id)]);
    expect(ids).toEqual([
      ['test', ['aa', 'bb', 'cc']],
      ['train', ['aa']],
    ]);
    expect(files.map(({ file }) => file)).toEqual(['one.json', 'two.json', 'train.json']);
    expect(files[1]!.sha256).toBe(createHash('sha256').update(readFileSync(two)).digest('hex'));
    // One split on both sides.
    const same = await readSplits([one], ['test', 'test']);
    expect(same.splits).toHaveLength(1);
  });

  it.each([
    ['no pair of the split', document('val', { aa: {} }), 'data_empty', 'metadata.split is "test"'],
    ['no split', document(undefined, { aa: {} }), 'data_malformed', 'does not say which split'],
    ['no document', '{"metadata":', 'data_malformed', ''],
    ['a pair at fault', document('test', { '': {} }), 'row_invalid', 'mod_comment_id'],
  ])('with %s are refused', async (_, text, code, said) => {
    const fault = await faultOf(readSplits([write('data.json', text)], ['test']));
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(said);
  });
});

describe('records', () => {
  it('have the target comment, null where it is yet to be fetched and empty where there is none', async () => {
    const file = write(
      'test.json',
      document('test', {
        aa: {},
        bb: { target: '[NEEDS_HYDRATION]' },
        cc: { target: { body: ' [NEEDS_HYDRATION] ' } },
        dd: { target: { id: 'x' } },
        ee: { target: { body: '' } },
      }),
    );
    const { splits } = await readSplits([file], ['test']);
    const records = retrievalRecords('test', splits[0]!.pairs);
    const texts = records.filter(({ type }) => type === 'violating').map(({ text }) => text);
    expect(texts).toEqual(['rude', null, null, '', '']);
    expect(records.slice(0, 2)).toEqual([
      {
        key: 'test:aa:violating',
        type: 'violating',
        text: 'rude',
        subreddit: 'kettles',
        subredditCluster: -1,
        ruleCluster: 3,
        hasMedia: false,
      },
      expect.objectContaining({ key: 'test:aa:compliant', text: ' fine ' }),
    ]);
  });

  it('have media where images are counted or there', async () => {
    const submissions = {
      a1: { num_media: 1 },
      a2: { num_media: '2', media_files: [] },
      a3: { num_media: 'many' },
      a4: { media_files: ['kettles/a4.jpg'] },
      a5: { num_media: 0, media_files: ['[NEEDS_HYDRATION]'] },
      a6: { num_media: -1 },
      a7: { num_media: null },
    };
    const pairs = Object.fromEntries(Object.entries(submissions).map(([id, s]) => [id, { submission: s }]));
    const { splits } = await readSplits([write('test.json', document('test', pairs))], ['test']);
    const media = retrievalRecords('test', splits[0]!.pairs).filter(({ type }) => type === 'compliant');
    expect(media.map(({ hasMedia }) => hasMedia)).toEqual([true, true, false, true, false, false, false]);
  });
});
