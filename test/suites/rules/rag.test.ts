/** A run with retrieved examples: where they stand, what is told of them, and whose answers are taken. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { prepareRag } from '../../../src/suites/rules/run/rag.ts';
import { runRules } from '../../../src/suites/rules/run/run.ts';
import { ragVoteModel } from '../../../src/suites/rules/run/vote.ts';
import { temporaryFolder } from '../../temporary.ts';
import { ENGINE, ruleModel } from './backend.ts';
import { VECTORS, vector } from './vectors.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const choice = {
  split: 'test',
  data: [`${VECTORS}/dataset.json`],
  sourceSplit: 'train',
  sourceData: [`${VECTORS}/train.json`],
  settings: { k: 2, filter: 'subreddit', balance: 'random' },
  folder: 'none',
  style: 'template',
} as const;

async function run(rag: Awaited<ReturnType<typeof prepareRag>>, inline = false) {
  const { model, asked } = ruleModel(({ correct }) => correct);
  const result = await runRules({
    backend: model,
    engine: ENGINE,
    data: choice.data,
    out: folder,
    options: { inline },
    rag,
    intervals: { resamples: 200 },
  });
  if (result.status !== 'done') throw new Error('kept');
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  return {
    asked,
    files: result.files,
    reasoning: read(result.files.reasoning),
    performance: read(result.files.performance),
  };
}

describe.skipIf(VECTORS === null)('a run with examples', () => {
  it('shows them in front of the question, in a folder of its own, and tells which', async () => {
    const { asked, files, reasoning, performance } = await run(await prepareRag(choice));
    expect(files.performance).toContain('/test/none/baseline/rag-k2-subreddit-random-src-train/performance_');
    expect(performance.rag).toEqual({
      k: 2,
      filter: 'subreddit',
      balance: 'random',
      source_split: 'train',
      retrieval_path: null,
      retrieval_artifact_sha256: null,
      trace_style: 'template',
      trace_path: null,
      trace_sha256: null,
      data: ['dataset.json', 'train.json'].map((file) => ({
        file,
        sha256: createHash('sha256')
          .update(readFileSync(`${VECTORS}/${file}`))
          .digest('hex'),
      })),
      run_suffix: 'rag-k2-subreddit-random-src-train',
    });
    const { violating } = reasoning[0].few_shot;
    expect(violating.length).toBe(2);
    expect(violating[0]).toMatchObject({ subreddit: 'KettleWhistlers', score: 0 });
    expect(violating[0].target_key).toMatch(/^train:\w+:(?:violating|compliant)$/);
    const prompt = JSON.parse(asked[0]!.prompt) as string;
    const shown = prompt.split('\n\n-------\n\n');
    expect(shown.length).toBe(3);
    for (const [at, example] of violating.entries()) {
      expect(shown[at]!.endsWith(`\n\nFinal Choice: ${example.correct_answer}`)).toBe(true);
    }
  });

  it('lets examples vote in the place of a model', async () => {
    const rag = await prepareRag({ ...choice, settings: { k: 4, filter: 'subreddit', balance: 'random' } });
    const result = await runRules({
      backend: ragVoteModel(rag),
      engine: ENGINE,
      data: choice.data,
      out: folder,
      rag,
      intervals: { resamples: 200 },
    });
    if (result.status !== 'done') throw new Error('kept');
    expect(result.files.performance).toContain(
      '/rag-vote/test/none/baseline/rag-k4-subreddit-random-src-train/',
    );
    const pairs = JSON.parse(readFileSync(result.files.reasoning, 'utf8'));
    const train = vector<{ subreddits: { thread_pairs: Record<string, unknown>[] }[] }>('train.json');
    const source = new Map(
      train.subreddits.flatMap(({ thread_pairs }) => thread_pairs).map((pair) => [pair.mod_comment_id, pair]),
    );
    let voted = 0;
    for (const pair of pairs) {
      for (const type of ['violating', 'compliant']) {
        const own = pair[type];
        // The rules of its examples, counted by hand: the choice is one of the most frequent that are on offer.
        const counts = new Map<string, number>();
        for (const { target_key: key } of pair.few_shot[type]) {
          const [, id, kind] = key.split(':');
          const example = source.get(id) as Record<string, { label: string; rule: string }[] & string>;
          const correct = example[`${kind}_correct_answer`];
          const { rule } = example[`${kind}_answer_options`]!.find(({ label }) => label === correct)!;
          const offered = own.answer_options.some((option: { rule: string }) => option.rule === rule);
          if (offered) counts.set(rule, (counts.get(rule) ?? 0) + 1);
        }
        if (counts.size === 0) {
          expect([own.extracted_prediction, own.score]).toEqual(['', 0]);
          continue;
        }
        voted += 1;
        const chosen = own.answer_options.find(
          (option: { label: string }) => option.label === own.extracted_prediction,
        );
        expect(counts.get(chosen.rule)).toBe(Math.max(...counts.values()));
      }
    }
    expect(voted).toBeGreaterThan(20);
  });

  it('takes a trace that is about the submission and right, and no other', async () => {
    const random = await prepareRag(choice);
    const { reasoning } = await run(random);
    const [first, second] = reasoning[0].few_shot.violating;
    const train = JSON.parse(readFileSync(`${VECTORS}/train.json`, 'utf8'));
    const submissionOf = (key: string) =>
      train.subreddits
        .flatMap((own: { thread_pairs: unknown[] }) => own.thread_pairs)
        .find((pair: { mod_comment_id: string }) => pair.mod_comment_id === key.split(':')[1]).metadata
        .submission_id;
    const traces = join(folder, 'traces.jsonl');
    const line = (key: string, prediction: string) =>
      JSON.stringify({
        target_key: key,
        submission_id: submissionOf(key),
        prediction,
        rationale: `Why ${key}.`,
        response: `So ${prediction}.`,
      });
    writeFileSync(
      traces,
      `${line(first.target_key, first.correct_answer)}\n${line(second.target_key, '(z)')}\n`,
    );
    const { asked } = await run(
      await prepareRag({
        ...choice,
        settings: { ...choice.settings, k: 2 },
        style: 'rationale-think',
        traces,
        folder: 'x',
      }).then((rag) => ({ ...rag, suffix: 'rag-traces' })),
    );
    const [shown, other] = (JSON.parse(asked[0]!.prompt) as string).split('\n\n-------\n\n');
    expect(shown).toContain(`<think>\nWhy ${first.target_key}.\n</think>\n\nSo ${first.correct_answer}.`);
    expect(other).toContain(`Final Choice: ${second.correct_answer}`);
    await expect(prepareRag({ ...choice, style: 'response-only' })).rejects.toThrow(
      'give the traces, or the style template',
    );
  });
});
