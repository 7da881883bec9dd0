/** `run rules` on API models as a user meets it: the real command against a real server on loopback, killed at any moment. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { PNG } from '../server/png.ts';
import { type Brain, LoopbackServer, type SentRequest } from '../server/server.ts';
import { madeDocument } from '../suites/rules/made.ts';
import { temporaryFolder } from '../temporary.ts';
import { type CliResult, runCli } from './run-cli.ts';

const PAIRS = 6;

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
  writeFileSync(join(cwd, 'test.json'), JSON.stringify(madeDocument('test', PAIRS)));
});

const textOf = ({ body }: SentRequest) => body.prompt ?? JSON.stringify(body.messages);
const isFinal = ({ body }: SentRequest) =>
  body.messages ? body.messages.length > 1 : body.prompt!.endsWith('Final Choice:');

/** It says what it has read, and then chooses by the length of what it is asked. */
const brain: Brain = (request) => {
  const { length } = textOf(request);
  return isFinal(request)
    ? { text: `(${'abcd'[length % 4]})`, inputTokens: 20, outputTokens: 3 }
    : { text: `I have read ${length} characters.`, inputTokens: 10, outputTokens: 6 };
};

const rules = (server: LoopbackServer, ...more: string[]) => [
  ...['run', 'rules', '--model', 'openai:tiny', '--base-url', server.url, '--data', 'test.json'],
  ...['--context', 'submission', '--phrase', 'cot', '--mode', 'prompt', '--resamples', '200', ...more],
];
const cli = (...args: string[]) => runCli(args, { cwd });

/** Runs until a request hangs, and is killed then. */
function killed(server: LoopbackServer, args: readonly string[]): Promise<CliResult> {
  const onStart = (kill: () => void) => {
    server.onHang = kill;
  };
  return runCli(args, { cwd, signal: 'SIGKILL', onStart });
}

const PLACE = 'eval/tiny/test/submission/cot_prompt';

/** What is written, by its name without the time, but for what tells of times. */
function written(out: string, place = PLACE): Record<string, string> {
  const folder = join(cwd, out, place);
  const files = readdirSync(folder, { recursive: true }).map(String).sort();
  const derived = files.filter((file) => /(?:rows|summary|metrics|reasoning|performance)[^/]*$/.test(file));
  return Object.fromEntries(
    derived.map((file) => [file.replace(/\d{8}_\d{6}/, 'TIME'), readFileSync(join(folder, file), 'utf8')]),
  );
}

describe('run rules on an API model', () => {
  it('asks in two turns, tells what it cost, and keeps results', async () => {
    await using server = await LoopbackServer.start({ brain });
    writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ tiny: { input: 1, output: 10 } }));
    const { code, stdout, stderr } = await cli(...rules(server, '--prices', 'prices.json'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('24 answers from the endpoint; tokens: 360 in, 108 out; cost: 0.00144\n');
    const [first, last] = [server.requests[0]!.body, server.requests.at(-1)!.body];
    expect(first).toMatchObject({ model: 'tiny', temperature: 0, max_completion_tokens: 2048 });
    expect(first.messages!.map(({ role }) => role)).toEqual(['user']);
    expect(last).toMatchObject({ temperature: 0, max_completion_tokens: 10 });
    expect(last.messages!.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(last.messages![1]!.content).toMatch(/^I have read \d+ characters\.$/);
    const results = written('output');
    expect(Object.keys(results)).toEqual([
      'metrics_TIME.csv',
      'performance_TIME.json',
      'reasoning_TIME.json',
      ...['metrics.json', 'rows.csv', 'rows.jsonl', 'summary.csv'].map((name) => `run_TIME/${name}`),
    ]);
    const again = await cli(...rules(server, '--resume', '--json'));
    expect([again.code, JSON.parse(again.stdout).status, server.requests.length]).toEqual([0, 'kept', 24]);
  });

  it('goes on after kill -9, whenever it comes: nothing is asked twice, nothing is lost', async () => {
    // The first question; the first of the choices; the last of them.
    const hangs = new Set([0, 13, 25]);
    await using server = await LoopbackServer.start({
      brain,
      faultAt: (at) => (hangs.has(at) ? 'hang' : null),
    });
    const args = rules(server, '--concurrency', '1', '--resume');
    for (const hang of hangs) {
      expect((await killed(server, args)).code).toBe(null);
      expect(server.requests.length).toBe(hang + 1);
    }
    const other = await cli(...args, '--parser', 'plurule');
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('cannot be resumed: option parser was "anchored" and is "plurule"'),
    ]);
    const { code, stdout, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('1 answers from the endpoint');
    expect(stdout).toContain('23 answers that were there already, not asked again');
    const asked = server.requests.map(textOf);
    expect([asked.length, new Set(asked).size]).toEqual([4 * PAIRS + hangs.size, 4 * PAIRS]);
    await cli(...rules(server, '--out', 'whole/eval'));
    expect(written('output')).toEqual(written('whole'));
  });

  it('goes on with what several requests at a time had answered', async () => {
    await using server = await LoopbackServer.start({ brain, faultAt: (at) => (at === 9 ? 'hang' : null) });
    await killed(server, rules(server, '--concurrency', '4'));
    const folder = join(cwd, 'output', PLACE);
    const run = readdirSync(folder).find((name) => name.startsWith('run_'))!;
    const answered = readFileSync(join(folder, run, 'answers.jsonl'), 'utf8')
      .trim()
      .split('\n').length;
    const seen = server.requests.length;
    // Those that were on their way, and no others.
    expect(seen - answered).toBeLessThanOrEqual(4);
    const { code, stdout } = await cli(...rules(server, '--resume'));
    expect(code).toBe(0);
    expect(stdout).toContain(`${answered} answers that were there already`);
    expect(server.requests.length - seen).toBe(4 * PAIRS - answered);
    expect(new Set(server.requests.map(textOf)).size).toBe(4 * PAIRS);
  });

  it('continues texts where it is asked by completions, phrase and final choice as well', async () => {
    await using server = await LoopbackServer.start({ brain });
    const prefill = ['--mode', 'prefill'];
    const chat = await cli(...rules(server, ...prefill));
    expect([chat.code, chat.stderr]).toEqual([
      2,
      expect.stringMatching(
        /cannot be made to begin its answer with a phrase; give --mode prompt.*--api completions/,
      ),
    ]);
    expect([server.requests.length, readdirSync(cwd)]).toEqual([0, ['test.json']]);
    const { code, stderr } = await cli(...rules(server, ...prefill, '--api', 'completions', '--limit', '1'));
    expect([code, stderr]).toEqual([0, '']);
    const prompts = server.requests.map(({ body }) => body.prompt!);
    expect(prompts.length).toBe(4);
    for (const at of [0, 1]) {
      expect(prompts[at]!.endsWith("Let's think step by step")).toBe(true);
      const answer = `I have read ${prompts[at]!.length} characters.`;
      expect(prompts[at + 2]).toBe(`${prompts[at]}${answer}\n\nFinal Choice:`);
    }
  });

  it('lets a model behind another endpoint choose, and goes on with both', async () => {
    let hang = true;
    await using thinker = await LoopbackServer.start({ brain });
    await using chooser = await LoopbackServer.start({
      brain: () => ({ text: '(b)', inputTokens: 1, outputTokens: 1 }),
      faultAt: (at) => (at === 5 && hang ? 'hang' : null),
    });
    const args = rules(
      thinker,
      '--stage2-model',
      'openai:small',
      '--stage2-base-url',
      chooser.url,
      '--resume',
    );
    await killed(chooser, [...args, '--concurrency', '1']);
    hang = false;
    const elsewhere = await cli(...args.slice(0, -1), '--resume', '--stage2-base-url', thinker.url);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('option finalModel was')]);
    const { code, stdout, stderr } = await cli(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      metrics: { overall: { total_pairs: PAIRS, unparsed: 0 } },
      usage: {
        asked: { requests: 7, inputTokens: 7 },
        reused: { requests: 17, inputTokens: 10 * 12 + 5 },
        served: { models: ['small-2026', 'tiny-2026'] },
      },
    });
    expect([thinker.requests.length, chooser.requests.length]).toEqual([12, 13]);
    expect(chooser.requests.every(({ body }) => body.model === 'small')).toBe(true);
    const { performance, runDir } = JSON.parse(stdout);
    expect(JSON.parse(readFileSync(join(cwd, performance), 'utf8')).stage2_model.path).toBe('openai:small');
    expect(readdirSync(join(cwd, runDir))).toEqual(
      expect.arrayContaining(['answers.jsonl', 'answers-final.jsonl']),
    );
  });

  it('shows images as parts, and tells of them by their hashes', async () => {
    writeFileSync(join(cwd, 'test.json'), JSON.stringify(madeDocument('test', 1, ['kettles/s_0.png'])));
    mkdirSync(dirname(join(cwd, 'media/kettles/s_0.png')), { recursive: true });
    writeFileSync(join(cwd, 'media/kettles/s_0.png'), PNG);
    await using server = await LoopbackServer.start({ brain });
    const args = rules(
      server,
      '--media-root',
      'media',
      '--context',
      'submission-media',
      '--phrase',
      'baseline',
    );
    const { code, stdout, stderr } = await cli(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    for (const { body } of server.requests) {
      expect(body.messages!.at(-1)!.content).toMatchObject([
        { type: 'text' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } },
      ]);
    }
    const [pair] = JSON.parse(readFileSync(join(cwd, JSON.parse(stdout).reasoning), 'utf8'));
    expect(pair.violating.images).toEqual(['kettles/s_0.png']);
    expect(pair.violating.input_prompt).toMatch(/"image_url":\{"url":"sha256:[0-9a-f]{64}"\}/);
    expect(pair.violating.input_prompt).not.toContain('base64');
  });

  it('tells of a run that did not come to its end, and begins anew without --resume', async () => {
    await using server = await LoopbackServer.start({ brain, faultAt: (at) => (at === 2 ? 'hang' : null) });
    await killed(server, rules(server, '--concurrency', '1'));
    const { code, stderr } = await cli(...rules(server));
    expect(code).toBe(0);
    expect(stderr).toMatch(/^logit-audit: warning: .*run_\d+_\d+ did not finish; this run begins anew/);
    expect(server.requests.length).toBe(3 + 4 * PAIRS);
  });
});
