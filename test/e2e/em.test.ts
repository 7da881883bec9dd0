/** Exact match through a run: what is generated is the oracle's and PyTorch's own continuation, and is read from there. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSuite } from '../../src/suites/registry.ts';
import { runCli } from '../cli/run-cli.ts';
import { chatModel } from '../model/chat-model.ts';
import { greedyText } from '../oracle/greedy.ts';
import { promptsHash } from '../oracle/prompts-hash.ts';
import { OracleModel } from '../oracle/score.ts';
import { sharedFile } from '../oracle/shared.ts';
import { CHATML } from '../prompt/templates.ts';
import { temporaryFolder } from '../temporary.ts';
import { plantedFiles } from './planted.ts';
import { EXACT, jsonLines, jsonlFile, runOn, textFile } from './suite-run.ts';

const MODEL = sharedFile('models/stories260K.gguf');
const SEQUENCES = sharedFile('vectors/stories260K/sequence.json');

const STEPS = 4;
const PROMPTS = ['The nurse', 'The plumber said', 'The table'];

/** The planted model's continuations as the oracle has them: no token of text is left out. */
async function continuations(): Promise<string[]> {
  const { model } = await plantedFiles();
  const oracle = new OracleModel(model);
  return PROMPTS.map((prompt) => greedyText(oracle, prompt, STEPS));
}

describe('em on the planted model', () => {
  it("reads the oracle's greedy continuation", async () => {
    const { model } = await plantedFiles();
    const texts = await continuations();
    // The first row's gold is the last line of its continuation, the second's another, the third's a number.
    const golds = [`${texts[0]!.trim().toUpperCase()}.`, 'something else', '17'];
    const rows = PROMPTS.map((question, at) => ({ id: at, question, answer: golds[at], level: at % 2 }));
    const run = await runOn(
      model,
      { suite: findSuite('em'), data: jsonlFile(rows), options: { maxTokens: STEPS } },
      EXACT,
    );
    expect(run.rows.map(({ response }) => response)).toEqual(texts);
    expect(run.rows).toMatchObject([
      { status: 'ok', rule: 'lastLine', correct: true, level: '0' },
      { status: 'ok', rule: 'lastLine', correct: false, level: '1' },
      { status: 'ok', rule: null, extracted: null, answer: null, gold: '17', correct: false },
    ]);
    expect(run.metric('em')).toMatchObject({ hits: 1, n: 3 });
    expect(run.metric('unparsed')).toMatchObject({ hits: 1, n: 3 });
    const cut = run.rows.filter(({ finish }) => finish === 'length').length;
    expect(run.metric('truncated')).toMatchObject({ hits: cut, n: 3 });
    expect(cut).toBeGreaterThan(0);
  });

  it('puts prompts into the template, and stops at the text that was asked for', async () => {
    const { model } = await plantedFiles();
    const [text] = await continuations();
    const stop = text!.trim().slice(-1);
    const { rows, result } = await runOn(
      model,
      {
        suite: findSuite('em'),
        data: textFile('rows.csv', 'id,prompt,gold\na,nurse,x\nb,,x\nc,nurse,\n'),
        options: { maxTokens: STEPS, stop, template: 'The {prompt}' },
      },
      EXACT,
    );
    expect(rows[0]).toMatchObject({
      response: text!.slice(0, text!.indexOf(stop)),
      finish: 'stop',
      truncated: false,
    });
    expect(result.counts).toEqual({ rows: 3, ok: 1, failed: 2, skipped: 0 });
    expect(rows.slice(1).map(({ error }) => (error as { message: string }).message)).toEqual([
      expect.stringContaining('prompt: is missing'),
      expect.stringContaining('answer: is missing'),
    ]);
  });

  it('has no chat where the model has no template', async () => {
    const { model } = await plantedFiles();
    const { rows } = await runOn(
      model,
      {
        suite: findSuite('em'),
        data: jsonlFile([{ prompt: 'The nurse', answer: 'x' }]),
        options: { chat: true },
      },
      EXACT,
    );
    expect(rows[0]).toMatchObject({ status: 'failed', error: { code: 'no_chat_template' } });
  });

  it("asks in the model's own template where it has one", async () => {
    const data = jsonlFile([{ prompt: 'Who?', answer: 'x' }]);
    const run = (chat: boolean) =>
      runOn(
        chatModel(CHATML),
        { suite: findSuite('em'), data, options: { chat, template: 'Q: {prompt}', maxTokens: 2 } },
        EXACT,
      );
    const hash = (line: object) => promptsHash([line]);
    const rendered =
      '<|im_start|>system\nYou answer briefly.<|im_end|>\n' +
      '<|im_start|>user\nQ: Who?<|im_end|>\n<|im_start|>assistant\n';
    expect((await run(true)).result.manifest.promptsSha256).toBe(hash({ special: true, texts: [rendered] }));
    expect((await run(false)).result.manifest.promptsSha256).toBe(
      hash({ special: false, texts: ['Q: Who?'] }),
    );
  });

  it('runs from the shell, and refuses options that cannot work before anything is written', async () => {
    const { model } = await plantedFiles();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'rows.jsonl'), jsonLines([{ prompt: 'The nurse', answer: 'x' }]));
    const args = ['run', 'em', '--model', model, '--data', 'rows.jsonl', '--threads', '1', '--out', 'run'];
    const wrong = await runCli([...args, '--template', 'Q'], { cwd: folder });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('the template has no {prompt}');
    const { code, stdout, stderr } = await runCli([...args, '--max-tokens', '3', '--stop', '\n'], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/exact match +0\.0 % \[/);
    const { experiment } = JSON.parse(readFileSync(join(folder, 'run/manifest.json'), 'utf8'));
    expect(experiment.options).toEqual({ maxTokens: 3, stop: '\n', template: '{prompt}', chat: false });
  });
});

describe.skipIf(!MODEL || !SEQUENCES)('em on stories260K', () => {
  it('reads the continuations that PyTorch gives', async () => {
    const { greedy: vectors } = JSON.parse(readFileSync(SEQUENCES!, 'utf8'));
    const rows: { prompt: string; text: string; greedyIds: number[] }[] = vectors;
    const { rows: read, metric } = await runOn(
      MODEL!,
      {
        suite: findSuite('em'),
        data: jsonlFile(rows.map(({ prompt, text }) => ({ prompt, gold: text }))),
        options: { maxTokens: rows[0]!.greedyIds.length },
      },
      EXACT,
    );
    rows.forEach(({ text, greedyIds }, at) => {
      expect((read[at]!.response as string).trim()).toBe(text.trim());
      expect(read[at]).toMatchObject({ tokens: greedyIds.length, finish: 'length', truncated: true });
    });
    // Each is a line or a sentence of its own, and its own gold answer.
    expect(metric('em')).toMatchObject({ hits: rows.length, n: rows.length });
    expect(metric('unparsed').hits).toBe(0);
  });
});
