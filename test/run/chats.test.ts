/** A run whose suite asks chats of a model that has a template: what fails, and what the manifest can say of prompts. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Suite, SuiteContext } from '../../src/contract/index.ts';
import { openDataset } from '../../src/dataset/index.ts';
import { type LocalModel, openModel } from '../../src/model/index.ts';
import { PromptsHash } from '../../src/run/hash.ts';
import { type JournalEntry, JournalWriter, readJournal } from '../../src/run/journal.ts';
import { describeModel } from '../../src/run/manifest.ts';
import { NOTHING_DONE, runPipeline } from '../../src/run/pipeline.ts';
import { chatModel } from '../model/chat-model.ts';
import { promptsHash } from '../oracle/prompts-hash.ts';
import { CHATML } from '../prompt/templates.ts';
import { temporaryFolder } from '../temporary.ts';

interface Row {
  readonly id: string;
  readonly question: string;
}

/** Asks every row as a chat, and as it is; the result is the entropy of both. */
const SUITE: Suite<Row> = {
  name: 'asked',
  summary: 'asks',
  panel: 'bias',
  data: 'id and question',
  example: '',
  options: {},
  lexicon: 'none',
  headline: [],
  schema: z.object({ id: z.string(), question: z.string() }),
  slices: [],
  metrics: () => [],
  measure: () => ({ groups: [], topK: 0, pairTopK: [] }),
  identify: ({ id }) => ({ id, slices: {} }),
  plan: ({ question }) => ({
    kind: 'ask',
    requests: [
      { kind: 'probe', text: { messages: [{ role: 'user', content: question }] } },
      { kind: 'probe', text: question },
    ],
    note: {},
  }),
  score: (observed) => ({ entropies: observed.map(({ steps }) => steps[0]!.entropy) }),
};

const rendered = (question: string) =>
  '<|im_start|>system\nYou answer briefly.<|im_end|>\n' +
  `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`;

async function run(backend: LocalModel, questions: readonly string[]) {
  const folder = temporaryFolder();
  const [file, path] = [join(folder, 'data.jsonl'), join(folder, 'rows.jsonl')];
  writeFileSync(
    file,
    questions.map((question, id) => `${JSON.stringify({ id: `${id}`, question })}\n`).join(''),
  );
  const prompts = new PromptsHash();
  const journal = await JournalWriter.create(path);
  await runPipeline({
    suite: SUITE as Suite,
    context: {} as SuiteContext,
    backend,
    rows: openDataset(file).rows(),
    totalRows: questions.length,
    journal,
    done: NOTHING_DONE,
    alone: false,
    onWindow: async () => undefined,
    prompts,
    strict: false,
    cluster: null,
    isDone: () => false,
    earlier: new Map(),
  });
  await journal.close();
  const entries: JournalEntry[] = [];
  for await (const entry of readJournal(path, [])) entries.push(entry);
  return { entries, promptsSha256: prompts.digest() };
}

describe('a run of chats', () => {
  it('records the template, and a hash of every prompt as it was rendered', async () => {
    await using backend = await openModel(chatModel(CHATML), { threads: 1 });
    const questions = Array.from({ length: 130 }, (_, index) => (index === 5 ? 'x<s>' : `Who ${index % 3}?`));
    const { entries, promptsSha256 } = await run(backend, questions);
    expect(entries.length).toBe(130);
    expect(entries.filter(({ status }) => status !== 'ok')).toMatchObject([
      {
        row: 5,
        status: 'failed',
        error: { code: 'bad_argument', message: expect.stringContaining('message 0 holds "<s>"') },
      },
    ]);
    const lines = questions.flatMap((question, index) => [
      index === 5 ? null : { special: true, texts: [rendered(question)] },
      { special: false, texts: [question] },
    ]);
    expect(promptsSha256).toBe(promptsHash(lines));
    expect((await describeModel(backend)).chatTemplateSha256).toBe(
      createHash('sha256').update(CHATML).digest('hex'),
    );
  });

  it('has the same hash when it is repeated, and another one under another template', async () => {
    const questions = ['Who?', 'What?'];
    await using one = await openModel(chatModel(CHATML), { threads: 1 });
    await using other = await openModel(chatModel(CHATML.replace('briefly', 'at length')), { threads: 1 });
    const first = await run(one, questions);
    expect((await run(one, questions)).promptsSha256).toBe(first.promptsSha256);
    expect((await run(one, questions.toReversed())).promptsSha256).not.toBe(first.promptsSha256);
    expect((await run(other, questions)).promptsSha256).not.toBe(first.promptsSha256);
  });
});
