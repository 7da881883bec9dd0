/** `run rules` here and through an endpoint behind which the same model sits: the same answers, and the same table. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Backend, describeEngine, openAny, openApiEmbedder, openModel } from '../../src/model/index.ts';
import { readSplits, retrievalRecords } from '../../src/suites/rules/index.ts';
import {
  buildRetrieval,
  type Embedder,
  modelEmbedder,
} from '../../src/suites/rules/retrieval/store/index.ts';
import type { RulesRunOptions } from '../../src/suites/rules/run/options.ts';
import { prepareRag, type RagChoice } from '../../src/suites/rules/run/rag.ts';
import { runRules } from '../../src/suites/rules/run/run.ts';
import { chatModel } from '../model/chat-model.ts';
import { sharedFile } from '../oracle/shared.ts';
import { answeringEngine, embeddingEngine } from '../server/engine-brain.ts';
import { type Brain, LoopbackServer } from '../server/server.ts';
import { ENGINE, ruleModel } from '../suites/rules/backend.ts';
import { madeDocument } from '../suites/rules/made.ts';
import { temporaryFolder } from '../temporary.ts';

const VECTORS = sharedFile('vectors/rules');
const CHATML =
  '{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

const PAIRS = 24;

let folder: string;
let data: string[];
beforeEach(() => {
  folder = temporaryFolder();
  data = ['test', 'train'].map((split) => {
    const file = join(folder, `${split}.json`);
    writeFileSync(file, JSON.stringify(madeDocument(split, PAIRS)));
    return file;
  });
});

type Given = Partial<RulesRunOptions> & Pick<RulesRunOptions, 'backend'>;

async function tableOf(name: string, given: Given) {
  const result = await runRules({
    engine: ENGINE,
    data: data[0]!,
    out: join(folder, name),
    modelId: 'm',
    intervals: { resamples: 200 },
    ...given,
  });
  if (result.status !== 'done' || !result.written) throw new Error('no results');
  const pairs = JSON.parse(readFileSync(result.files.reasoning, 'utf8'));
  for (const pair of pairs) for (const type of ['violating', 'compliant']) delete pair[type].input_prompt;
  return {
    counts: result.run.counts,
    tidy: readFileSync(result.files.tidy, 'utf8'),
    pairs,
    ...result.written,
  };
}

/** Runs on a model here, and on the server that has it; the tables are the same, and not of one value. */
async function expectSame(
  server: LoopbackServer,
  { backend, api = 'completions', ...given }: Given & { readonly api?: 'chat' | 'completions' },
) {
  const here = await tableOf('here', { backend, ...given });
  const opened = await openAny('openai:m', { endpoint: { baseUrl: server.url, api } });
  await using remote = opened.backend;
  const over = await tableOf('over', { ...given, backend: remote });
  expect(over).toEqual(here);
  expect(here.counts.failed).toBe(0);
  expect(server.requests.length).toBe(4 * here.counts.ok);
  return here;
}

/** A letter that goes by the whole of what was asked. */
function say(text: string): string {
  const [first] = createHash('sha256').update(text).digest();
  return first! % 5 === 0 ? 'I cannot say.' : `(${'abcd'[first! % 4]})`;
}

/** A model by rule that reads chats, and has no template that anybody could see. */
function talker(chat: boolean): Backend {
  const { model } = ruleModel(({ prompt }) => {
    const asked = JSON.parse(prompt);
    return say(chat ? JSON.stringify(asked.messages) : asked);
  });
  return Object.assign(model, { takesChats: chat });
}

const talking: Brain = ({ body }) => ({ text: say(body.prompt ?? JSON.stringify(body.messages)) });

const choice = (more: Partial<RagChoice> = {}): RagChoice => ({
  split: 'test',
  data: [data[0]!],
  sourceSplit: 'train',
  sourceData: [data[1]!],
  settings: { k: 2, filter: 'none', balance: 'mixed' },
  folder: join(folder, 'rag'),
  style: 'template',
  ...more,
});

async function artifact(embedder: Embedder, name = 'rag'): Promise<Buffer> {
  const { splits } = await readSplits(data, ['test', 'train']);
  const [queries, candidates] = splits.map(({ split, pairs }) => ({
    split,
    records: retrievalRecords(split, pairs),
  }));
  const out = join(folder, name);
  const { path } = await buildRetrieval({
    queries: queries!,
    candidates: candidates!,
    embedder,
    out,
    threads: 1,
  });
  return readFileSync(path);
}

const hashEmbedder: Embedder = {
  identity: { kind: 'test', name: 'hash', sha256: null, settings: {} },
  embed: async (texts) =>
    texts.map((text) =>
      Float32Array.from(createHash('sha256').update(text).digest(), (byte) => byte - 127.5),
    ),
};

describe('a model by rule, here and behind an endpoint', () => {
  it.each([
    ['chat', 0],
    ['chat', 2],
    ['completions', 0],
    ['completions', 2],
  ] as const)('by %s with %i examples', async (api, k) => {
    await using server = await LoopbackServer.start({ brain: talking });
    if (k > 0) await artifact(hashEmbedder);
    const rag = k > 0 ? await prepareRag(choice()) : null;
    const { tallies, pairs } = await expectSame(server, {
      backend: talker(api === 'chat'),
      api,
      options: {
        context: 'submission-discussion',
        phrase: 'cot',
        mode: api === 'chat' ? 'prompt' : 'prefill',
      },
      ...(rag ? { rag } : {}),
    });
    expect(pairs).toHaveLength(PAIRS);
    expect(JSON.stringify(tallies)).toContain('unparsed');
    // Some are right and some are not, and some cannot be read.
    const sides = pairs.flatMap((pair: Record<string, unknown>) => [pair.violating, pair.compliant]);
    const scores = new Set(sides.map(({ score }: { score: number }) => score));
    expect([scores.size, sides.some(({ unparsed }: { unparsed: unknown }) => unparsed !== null)]).toEqual([
      2,
      true,
    ]);
    if (!rag) return;
    expect(pairs[0].few_shot.violating).toHaveLength(2);
    // Each example is two turns in front of the question; the final choice is one more.
    const first = server.requests[0]!.body;
    if (api === 'chat') expect(first.messages!.map(({ role }) => role)).toHaveLength(5);
    else expect(first.prompt!.split('\n\n-------\n\n')).toHaveLength(3);
  });
});

/** Its tokens are bytes, and prompts are long. */
const CONTEXT = 32_768;
const ENGINE_OPTIONS = { mode: 'exact', threads: 1, contextLength: CONTEXT } as const;

describe('llama.cpp, here and behind an endpoint', () => {
  const small = { maxResponseTokens: 6, finalTokens: 3 };

  it.each([0, 2])('with a chat template and %i examples', async (k) => {
    await using local = await openModel(chatModel(CHATML, { contextLength: CONTEXT }), ENGINE_OPTIONS);
    await using server = await LoopbackServer.start({ brain: answeringEngine(local) });
    const settings = { k, filter: 'none', balance: 'random' } as const;
    const rag = k > 0 ? await prepareRag(choice({ settings })) : null;
    // An endpoint is asked in another turn, so here too.
    const options = { ...small, final: 'turn', context: 'submission' } as const;
    const { pairs } = await expectSame(server, {
      backend: local,
      engine: describeEngine({}, local.info),
      api: 'chat',
      limit: 3,
      options,
      ...(rag ? { rag } : {}),
    });
    expect(pairs[0].violating.reasoning_response.length).toBeGreaterThan(2);
  });

  it.skipIf(VECTORS === null).each([0, 2])('on the synthetic data, with %i examples', async (k) => {
    data = [`${VECTORS}/dataset.json`, `${VECTORS}/train.json`];
    await using local = await openModel(chatModel(null, { contextLength: CONTEXT }), ENGINE_OPTIONS);
    await using server = await LoopbackServer.start({
      brain: answeringEngine(local),
      vectors: embeddingEngine(local),
    });
    let rag = null;
    if (k > 0) {
      const identity = { kind: 'gguf', name: 'stories', sha256: null, settings: {} };
      const matrix = await artifact(modelEmbedder(local, identity));
      // Vectors are the same through an endpoint, so that the same examples are found.
      expect(await artifact(await openApiEmbedder('openai:m', { baseUrl: server.url }), 'over')).toEqual(
        matrix,
      );
      server.requests.length = 0;
      rag = await prepareRag(choice());
    }
    const { pairs } = await expectSame(server, {
      backend: local,
      engine: describeEngine({}, local.info),
      limit: 2,
      options: { ...small, context: 'submission', phrase: 'cot' },
      ...(rag ? { rag } : {}),
    });
    expect(pairs[0].violating.reasoning_response.length).toBeGreaterThan(3);
    if (rag) expect(pairs[0].few_shot.violating.length).toBeGreaterThan(0);
  });
});
