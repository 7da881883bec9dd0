/** The journal of answers: what was paid for is never asked again, whatever happened in between. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Answers, requestKey } from '../../../src/model/openai/answers.ts';
import { openApi } from '../../../src/model/openai/index.ts';
import { faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';
import { ask, observe, openLoopback, textsOf, World } from './world.ts';

const PROMPTS = ['a', 'bb', 'ccc', 'dddd'].map((prompt) => ask(prompt));
const SAID = ['The answer is 3.', 'The answer is 4.', 'The answer is 5.', 'The answer is 6.'];

describe('answers in a journal', () => {
  it('are given again without asking', async () => {
    const answers = join(temporaryFolder(), 'deep', 'answers.jsonl');
    const first = await openLoopback({}, { answers });
    expect(existsSync(answers)).toBe(false);
    expect(textsOf(await observe(first.model, PROMPTS.slice(0, 3)))).toEqual(SAID.slice(0, 3));
    await first.model.close();
    const again = await openApi('openai:tiny', { baseUrl: first.server.url, answers }, new World());
    expect(textsOf(await observe(again, PROMPTS))).toEqual(SAID);
    expect(first.server.requests.length).toBe(4);
    expect(again.usage).toMatchObject({
      asked: { requests: 1, inputTokens: 6, outputTokens: 5 },
      reused: { requests: 3, inputTokens: 12, outputTokens: 15 },
    });
    await again.close();
    expect(readFileSync(answers, 'utf8').split('\n').length).toBe(5);
  });

  it('are of a request as a whole: another option, another answer', async () => {
    const answers = join(temporaryFolder(), 'answers.jsonl');
    const { model, server } = await openLoopback({}, { answers });
    const variants = [
      ask('a'),
      ask('a', { maxTokens: 7 }),
      ask('a', { temperature: 0.5 }),
      ask('a', { temperature: 0.5, seed: 1 }),
      ask('a', { stop: ['\n'] }),
      ask('a', { temperature: 0, seed: 9 }),
    ];
    await observe(model, variants);
    // At temperature 0 nothing is drawn, so a seed is not sent.
    expect(server.requests.length).toBe(5);
  });

  it('serve requests that are the same and on their way at once', async () => {
    const { model, server } = await openLoopback();
    const same = Array.from({ length: 10 }, () => ask('a'));
    expect(new Set(textsOf(await observe(model, same)))).toEqual(new Set([SAID[0]]));
    expect(server.requests.length).toBe(1);
  });

  it('that failed are not kept', async () => {
    const answers = join(temporaryFolder(), 'answers.jsonl');
    const faultAt = (number: number) => (number === 0 ? { status: 400 } : null);
    const { model, server } = await openLoopback({ faultAt }, { answers, concurrency: 1 });
    const [bad, good] = textsOf(await observe(model, PROMPTS.slice(0, 2)));
    expect([bad?.slice(0, 16), good]).toEqual(['endpoint_refused', SAID[1]]);
    expect(textsOf(await observe(model, PROMPTS.slice(0, 2)))).toEqual(SAID.slice(0, 2));
    expect(server.requests.length).toBe(3);
  });

  it('lose a torn last line, which is asked again, and nothing else', async () => {
    const answers = join(temporaryFolder(), 'answers.jsonl');
    const { model, server } = await openLoopback({}, { answers });
    await observe(model, PROMPTS.slice(0, 2));
    await model.close();
    const whole = readFileSync(answers, 'utf8');
    for (const cut of [1, 20, whole.length - whole.indexOf('\n') - 2]) {
      writeFileSync(answers, whole.slice(0, -cut));
      const asked = server.requests.length;
      const again = await openApi('openai:tiny', { baseUrl: server.url, answers }, new World());
      expect(textsOf(await observe(again, PROMPTS.slice(0, 2)))).toEqual(SAID.slice(0, 2));
      await again.close();
      expect(server.requests.length).toBe(asked + 1);
      expect(readFileSync(answers, 'utf8').trimEnd().split('\n').length).toBe(2);
    }
  });

  it('with a damaged line in the middle are refused by its number, before anything is asked', async () => {
    const answers = join(temporaryFolder(), 'answers.jsonl');
    const { model, server } = await openLoopback({}, { answers });
    await observe(model, PROMPTS.slice(0, 1));
    await model.close();
    appendFileSync(answers, 'not json\n{"v":1}\n');
    const opening = openApi('openai:tiny', { baseUrl: server.url, answers }, new World());
    expect(await faultOf(opening)).toMatchObject({
      code: 'data_malformed',
      data: { file: answers, line: 2 },
    });
    expect(server.requests.length).toBe(1);
    // The lock was given back.
    expect(existsSync(`${answers}.lock`)).toBe(false);
  });

  it('are found by characters of several bytes, and after a long line', async () => {
    const path = join(temporaryFolder(), 'answers.jsonl');
    const reply = (text: string) => ({
      text,
      finish: 'end' as const,
      counts: { input: 1, output: 1, cachedInput: null },
      model: null,
      fingerprint: null,
      tier: null,
      notes: [],
      reasoning: '',
      unanswered: null,
      written: [],
      top: [],
      echo: [],
    });
    const long = 'é日'.repeat(100_000);
    const first = await Answers.open(path);
    await Promise.all([first.add('k1', reply(long)), first.add('k2', reply('😀'))]);
    expect((await first.find('k2'))?.text).toBe('😀');
    await first.close();
    const second = await Answers.open(path);
    expect([(await second.find('k1'))?.text, (await second.find('k2'))?.text]).toEqual([long, '😀']);
    expect(await second.find('k3')).toBeNull();
    await second.close();
  });
});

describe('a second writer', () => {
  it('is refused while the first one writes, and not after', async () => {
    const path = join(temporaryFolder(), 'answers.jsonl');
    const first = await Answers.open(path);
    const refusal = await faultOf(Answers.open(path));
    expect(refusal.code).toBe('output_exists');
    expect(refusal.message).toContain('is being written by process');
    await first.close();
    await (await Answers.open(path)).close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('takes over the lock of a process that is gone', async () => {
    const path = join(temporaryFolder(), 'answers.jsonl');
    // No process has so high a number.
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 30, host: hostname(), token: 'x' }));
    const taken = await Answers.open(path);
    expect(await faultOf(Answers.open(path))).toMatchObject({ code: 'output_exists' });
    await taken.close();
  });

  it('takes over one that no process of this program has written whole', async () => {
    const path = join(temporaryFolder(), 'answers.jsonl');
    for (const text of ['', 'null', '{"pid":', '\0\0\0']) {
      writeFileSync(`${path}.lock`, text);
      await (await Answers.open(path)).close();
      expect(existsSync(`${path}.lock`)).toBe(false);
    }
  });

  it('does not take over that of another machine', async () => {
    const path = join(temporaryFolder(), 'answers.jsonl');
    const text = JSON.stringify({ pid: 2 ** 30, host: 'elsewhere', token: 'x' });
    writeFileSync(`${path}.lock`, text);
    const fault = await faultOf(Answers.open(path));
    expect(fault).toMatchObject({ code: 'output_exists' });
    expect(fault.message).toContain(`process ${2 ** 30} of the machine "elsewhere"`);
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(text);
  });
});

it('knows a request by all of it, in any order of keys', () => {
  const key = (body: Readonly<Record<string, unknown>>, draw = 0) =>
    requestKey('http://127.0.0.1/v1', { api: 'chat', body }, draw);
  expect(key({ a: 1, b: { c: [1, 2], d: 2 } })).toBe(key({ b: { d: 2, c: [1, 2] }, a: 1 }));
  const others = [key({ a: 1 }), key({ a: 2 }), key({ a: 1 }, 1), key({ a: '1' }), key({ a: [1] })];
  expect(new Set(others).size).toBe(others.length);
});
