/** Runs over the shared data with models by rule: stages, result files, what is kept, and what is refused. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RulesRunOptions } from '../../../src/suites/rules/run/options.ts';
import { runRules } from '../../../src/suites/rules/run/run.ts';
import { ENGINE, ruleModel } from './backend.ts';
import { VECTORS } from './vectors.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'rules-'));
afterAll(() => rmSync(root, { recursive: true }));

let runs = 0;
/** A folder of its own for each test. */
function fresh(): string {
  runs += 1;
  return path.join(root, String(runs));
}

const INTERVALS = { resamples: 2_000 };

function start(given: Partial<RulesRunOptions> & Pick<RulesRunOptions, 'backend' | 'out'>) {
  return runRules({ engine: ENGINE, data: `${VECTORS}/dataset.json`, intervals: INTERVALS, ...given });
}

async function done(given: Parameters<typeof start>[0]) {
  const result = await start(given);
  if (result.status !== 'done') throw new Error('kept');
  return result;
}

const right = ruleModel(({ stage, correct }) => (stage === 'final' ? ` ${correct}` : 'It is clear.'));

describe.skipIf(VECTORS === null)('a run', () => {
  it('asks in two stages, the second from the text of the first', async () => {
    const { model, asked } = ruleModel(({ stage }) => (stage === 'final' ? '(a)' : '<think>Hm, so'));
    await done({
      backend: model,
      out: fresh(),
      limit: 2,
      options: { phrase: 'cot', context: 'submission-discussion', parser: 'plurule' },
    });
    expect(asked.map(({ stage }) => stage)).toEqual([
      ...Array(4).fill('reasoning'),
      ...Array(4).fill('final'),
    ]);
    const prompts = asked.map(({ prompt }) => JSON.parse(prompt) as string);
    for (const at of [0, 1, 2, 3]) {
      expect(prompts[at]!.endsWith("\n\nLet's think step by step")).toBe(true);
      expect(prompts[at + 4]).toBe(`${prompts[at]}<think>Hm, so\n</think>\n\n\n\nFinal Choice:`);
    }
  });

  it('writes the files of the original, and a tidy table', async () => {
    const out = fresh();
    const { files, run, written } = await done({
      backend: right.model,
      out,
      options: { context: 'submission', phrase: 'cot', mode: 'prompt' },
    });
    const folder = path.join(out, 'by-rule', 'test', 'submission', 'cot_prompt');
    expect(path.dirname(files.performance)).toBe(folder);
    expect(path.basename(files.performance)).toMatch(/^performance_\d{8}_\d{6}\.json$/);
    expect(run.counts).toMatchObject({ rows: 16, ok: 16 });
    const performance = JSON.parse(readFileSync(files.performance, 'utf8'));
    expect(performance).toMatchObject({
      model: 'by-rule',
      split: 'test',
      context: 'submission',
      phrase: 'cot',
      mode: 'prompt',
      metrics: {
        overall: { total_pairs: 16, total_threads: 32, overall_accuracy: 1, total_correct: 32, unparsed: 0 },
        per_language: { en: { count: 14 }, pt: { count: 2 } },
        per_subreddit_cluster: { Other: { count: 3 } },
      },
    });
    expect(performance).not.toHaveProperty('limit');
    expect(written!.metrics).toEqual(performance.metrics);
    const reasoning = JSON.parse(readFileSync(files.reasoning, 'utf8'));
    expect(reasoning.length).toBe(16);
    expect(reasoning[0]).toMatchObject({
      mod_comment_id: 'zwape5q',
      subreddit: 'KettleWhistlers',
      submission_id: 'v8stc0',
      violating: {
        reasoning_response: 'It is clear.',
        clean_answer_response: ' (c)',
        extracted_prediction: '(c)',
        correct_answer: '(c)',
        score: 1,
        answer_options: [{ label: '(a)', rule: 'One gasket question per week' }, {}, {}, {}, {}],
      },
      metadata: {
        rule: 'Kein Handel mit Dochten',
        rule_cluster_label: 'shop talk',
        subreddit_language: 'en',
      },
    });
    expect(reasoning[0].violating.input_prompt).toContain('Please think step by step.');
    const tidy = readFileSync(files.tidy, 'utf8').split('\n');
    expect(tidy[1]).toMatch(
      /^by-rule,overall,,overall_accuracy,1,,,32,32,16,0,every resample gives the same value/,
    );
    expect(readFileSync(files.log, 'utf8')).toContain('16 of 16 pairs');
    expect(existsSync(path.join(files.run, 'manifest.json'))).toBe(true);
  });

  it('keeps results that are there, and replaces them when it is told to', async () => {
    const out = fresh();
    const first = await done({ backend: right.model, out });
    const again = await start({ backend: right.model, out });
    expect(again).toEqual({ status: 'kept', performance: first.files.performance });
    // A stamp is of a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { model } = ruleModel(() => 'nothing to say');
    const second = await done({ backend: model, out, override: true });
    expect(second.written!.metrics.overall).toMatchObject({
      overall_accuracy: 0,
      unparsed: 32,
      unparsed_rate: 1,
    });
    const there = readdirSync(path.dirname(second.files.performance)).filter((name) =>
      name.endsWith('.json'),
    );
    expect(there.sort()).toEqual(
      [second.files.performance, second.files.reasoning].map((file) => path.basename(file)),
    );
  });

  it('marks a part of the data in folder, name and file, and never takes it for the whole', async () => {
    const out = fresh();
    const debug = await done({ backend: right.model, out, debug: true });
    expect(debug.files.performance).toMatch(/\/baseline\/debug\/performance_debug_\d+_\d+\.json$/);
    expect(JSON.parse(readFileSync(debug.files.performance, 'utf8'))).toMatchObject({
      debug: true,
      limit: 5,
      metrics: { overall: { total_pairs: 5 } },
    });
    const limited = await done({ backend: right.model, out, limit: 3 });
    expect(limited.files.performance).toMatch(/\/baseline\/limit-3\/performance_limit-3_/);
    const whole = await done({ backend: right.model, out });
    expect(whole.written!.metrics.overall.total_pairs).toBe(16);
    await expect(start({ backend: right.model, out, debug: true, limit: 2 })).rejects.toThrow(
      'leave limit out',
    );
  });

  it('counts what could not be read beside what is wrong', async () => {
    const { model } = ruleModel(({ stage, correct }) =>
      stage !== 'final' ? 'Hm.' : correct === '(b)' ? 'I cannot decide.' : '(b)',
    );
    const { written } = await done({ backend: model, out: fresh() });
    const { overall } = written!.metrics;
    expect(overall.overall_accuracy).toBe(0);
    expect(overall.unparsed).toBeGreaterThan(5);
    expect(overall.unparsed).toBe(overall.violating_unparsed + overall.compliant_unparsed);
    expect(overall.unparsed).toBeLessThan(27);
  });

  it('lets another model make the final choice', async () => {
    const thinker = ruleModel(({ stage }) => (stage === 'reasoning' ? 'A long thought.' : 'never asked'));
    const chooser = ruleModel(({ correct }) => correct, 'models/chooser.gguf');
    const { files, written } = await done({ backend: thinker.model, stage2: chooser.model, out: fresh() });
    expect(written!.metrics.overall.overall_accuracy).toBe(1);
    expect(thinker.asked.every(({ stage }) => stage === 'reasoning')).toBe(true);
    expect(chooser.asked.length).toBe(32);
    expect(chooser.asked[0]!.prompt).toContain('A long thought.\\n\\nFinal Choice:');
    expect(JSON.parse(readFileSync(files.performance, 'utf8')).stage2_model.path).toBe('models/chooser.gguf');
  });

  it('shows images to a model that sees, by paths from the media folder, and to no other', async () => {
    const { model } = ruleModel(({ correct }) => correct);
    const blind = Object.assign(ruleModel(() => '').model, { seesImages: false });
    const options = { context: 'submission-media' };
    await expect(start({ backend: blind, out: fresh(), options })).rejects.toThrow(/cannot see images/);
    const { files } = await done({ backend: model, out: fresh(), options });
    const [first] = JSON.parse(readFileSync(files.reasoning, 'utf8'));
    expect(first.violating.images).toEqual(['KettleWhistlers/v8stc0_0.jpg', 'KettleWhistlers/v8stc0_1.jpg']);
  });

  it('skips pairs whose targets are yet to be fetched, and says so', async () => {
    const { run, written } = await done({
      backend: right.model,
      out: fresh(),
      data: `${VECTORS}/train.json`,
      options: { split: 'train' },
    });
    expect(run.counts).toMatchObject({ rows: 47, failed: 0 });
    expect(run.counts.skipped).toBeGreaterThan(0);
    expect(written!.metrics.overall.total_pairs).toBe(47 - run.counts.skipped);
    expect(readFileSync(run.folder.rowsCsv, 'utf8')).toContain('yet to be hydrated');
  });

  it('refuses what cannot be, before anything is written', async () => {
    const out = fresh();
    const backend = right.model;
    for (const [options, message] of [
      [{ context: 'media' }, /media without submission/],
      [{ context: 'submission-map' }, /the flag "map", which there is not/],
      [{ phrase: 'sot' }, /there is no phrase "sot"/],
      [{ split: 'val' }, /is the split "test", and --split says "val"/],
    ] as const) {
      await expect(start({ backend, out, options })).rejects.toThrow(message);
    }
    expect(existsSync(out)).toBe(false);
    const file = path.join(root, 'not.json');
    writeFileSync(file, '{"subreddits": [{"subreddit": "x", "rules": []}]}');
    const { run, written } = await done({ backend, out, data: file });
    expect([run.counts.failed, written]).toEqual([1, null]);
  });
});
