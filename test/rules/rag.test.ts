/** A run with retrieved examples: where they stand, what is told of them, and whose answers are taken. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { prepareRag, runRules } from '../../src/run/index.ts';
import { temporaryFolder } from '../temporary.ts';
import { ENGINE, ruleModel } from './backend.ts';
import { VECTORS } from './vectors.ts';

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
