/**
 * Rules on a real instruct model, here and through an endpoint that has it, with and without retrieved examples: the same
 * questions, the same answers, and one table.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeEngine, openAny, openModel } from '../../src/model/index.ts';
import { readSplits, retrievalRecords } from '../../src/suites/rules/index.ts';
import { buildRetrieval, modelEmbedder } from '../../src/suites/rules/retrieval/store/index.ts';
import type { RulesRag, RulesRunOptions } from '../../src/suites/rules/run/options.ts';
import { prepareRag } from '../../src/suites/rules/run/rag.ts';
import { runRules } from '../../src/suites/rules/run/run.ts';
import { sharedFile } from '../oracle/shared.ts';
import { answeringEngine } from '../server/engine-brain.ts';
import { LoopbackServer } from '../server/server.ts';
import { temporaryFolder } from '../temporary.ts';
import { modelPath } from './model.ts';

const VECTORS = sharedFile('vectors/rules');
const PAIRS = 1;
/** Numbers that hang on nothing but their text: an endpoint is asked in other windows. */
const ENGINE = { mode: 'exact', threads: 1, contextLength: 4096 } as const;

type Table = { readonly [key: string]: unknown };

async function tableOf(out: string, given: Partial<RulesRunOptions> & Pick<RulesRunOptions, 'backend'>) {
  const result = await runRules({
    engine: describeEngine(ENGINE, given.backend.info),
    data: `${VECTORS}/dataset.json`,
    out,
    modelId: 'm',
    limit: PAIRS,
    intervals: { resamples: 1000 },
    ...given,
  });
  if (result.status !== 'done' || !result.written) throw new Error('there are no results');
  expect(result.run.counts).toEqual({ rows: PAIRS, ok: PAIRS, failed: 0, skipped: 0 });
  const pairs = JSON.parse(readFileSync(result.files.reasoning, 'utf8')) as Record<string, Table>[];
  // A prompt is told as it was asked: here as the template renders it, there as messages.
  const answers = pairs.map(({ violating, compliant, few_shot: examples }) => {
    const sides = [violating!, compliant!].map(({ input_prompt: _, ...side }) => side);
    return { sides, examples };
  });
  return { tidy: readFileSync(result.files.tidy, 'utf8'), answers };
}

async function examples(folder: string): Promise<RulesRag> {
  const data = ['dataset', 'train'].map((name) => `${VECTORS}/${name}.json`);
  const { splits } = await readSplits(data, ['test', 'train']);
  const [queries, candidates] = splits.map(({ split, pairs }) => ({
    split,
    records: retrievalRecords(split, pairs),
  }));
  await using model = await openModel(modelPath(), { threads: 1, contextLength: 512 });
  const identity = { kind: 'gguf', name: 'instruct', sha256: null, settings: {} };
  const embedder = modelEmbedder(model, identity);
  await buildRetrieval({ queries: queries!, candidates: candidates!, embedder, out: folder, threads: 1 });
  return prepareRag({
    split: 'test',
    data: [data[0]!],
    sourceSplit: 'train',
    sourceData: [data[1]!],
    settings: { k: 2, filter: 'none', balance: 'mixed' },
    folder,
    style: 'template',
  });
}

describe.skipIf(VECTORS === null)('rules on the instruct model', () => {
  it.each([
    ['completions', 0],
    ['completions', 2],
    ['chat', 0],
    ['chat', 2],
  ] as const)('by %s with %i examples', { timeout: 1_200_000 }, async (api, k) => {
    const folder = temporaryFolder();
    const rag = k === 0 ? null : await examples(join(folder, 'rag'));
    await using local = await openModel(modelPath(), ENGINE);
    await using server = await LoopbackServer.start({ brain: answeringEngine(local) });
    const { backend } = await openAny('openai:m', { endpoint: { baseUrl: server.url, api } });
    await using remote = backend;
    const given = {
      options: {
        context: 'none',
        maxResponseTokens: 12,
        finalTokens: 6,
        ...(api === 'chat' ? { final: 'turn' as const } : { chat: 'off' as const }),
      },
      ...(rag ? { rag } : {}),
    };
    const here = await tableOf(join(folder, 'here'), { backend: local, ...given });
    const over = await tableOf(join(folder, 'over'), { backend: remote, ...given });
    expect(over).toEqual(here);
    const said = here.answers.flatMap(({ sides }) => sides.map((side) => side.reasoning_response));
    expect(new Set(said).size).toBeGreaterThan(1);
    if (k > 0) expect(JSON.stringify(here.answers[0]!.examples).length).toBeGreaterThan(20);
  });
});
