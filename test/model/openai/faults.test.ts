/** What an endpoint may do instead of answering, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import { openApi } from '../../../src/model/openai/index.ts';
import { waitAfter } from '../../../src/model/openai/retry.ts';
import { faultOf } from '../../fault.ts';
import { type Fault, LoopbackServer, Refusal } from '../../server/server.ts';
import { ask, observe, openLoopback, textsOf, World } from './world.ts';

const ONE = [ask('how long?')];
const ANSWER = 'The answer is 9.';
const plain = (request: { body: { messages?: readonly { content: unknown }[] } }) => ({
  text: `The answer is ${String(request.body.messages![0]!.content).length}.`,
});

const PASSING: readonly (readonly [name: string, fault: Fault])[] = [
  ['429', { status: 429 }],
  ['500', { status: 500 }],
  ['503', { status: 503 }],
  ['408', { status: 408 }],
  ['a cut connection', 'cut'],
  ['a connection cut before the answer', 'cutHead'],
  ['malformed JSON', 'malformed'],
  ['something else', 'html'],
  ['an empty answer', 'empty'],
];

describe.each([
  ['whole', false],
  ['streamed', true],
])('an endpoint with %s answers', (_, stream) => {
  it('answers', async () => {
    const { model, server, world } = await openLoopback({ brain: plain }, { stream });
    const observed = await observe(model, ONE);
    expect(textsOf(observed)).toEqual([ANSWER]);
    expect([...observed.generations.counts!]).toEqual([1]);
    expect(observed.generations.finish).toEqual(['end']);
    expect(observed.generations.logProb[0]).toBeNaN();
    expect(server.requests[0]!.body.stream).toBe(stream ? true : undefined);
    expect(world.waits).toEqual([]);
  });

  it.each(PASSING)(
    'that fails twice with %s is asked a third time, after waits that double',
    async (_, bad) => {
      const faultAt = (number: number) => (number < 2 ? bad : null);
      const { model, server, world } = await openLoopback({ brain: plain, faultAt }, { stream });
      expect(textsOf(await observe(model, ONE))).toEqual([ANSWER]);
      expect(server.requests.length).toBe(3);
      expect(world.waits).toEqual([375, 750]);
      expect(model.usage).toMatchObject({ asked: { requests: 1 }, repeatedAttempts: 2 });
    },
  );

  it.each(PASSING)('that goes on to fail with %s fails that row alone', async (_, bad) => {
    const faultAt = (_number: number, { body }: { body: { messages?: readonly { content: unknown }[] } }) =>
      body.messages![0]!.content === 'bad' ? bad : null;
    const { model, server } = await openLoopback({ brain: plain, faultAt }, { stream, attempts: 3 });
    const [bads, good] = textsOf(await observe(model, [ask('bad'), ask('how long?')]));
    expect(bads).toMatch(/^endpoint_failed: .*\(tried 3 times\)$/);
    expect(good).toBe(ANSWER);
    expect(server.requests.length).toBe(4);
  });

  it('that hangs is given up after the time limit, and asked again', async () => {
    const { model, server, world } = await openLoopback(
      { brain: plain, faultAt: (number) => (number === 0 ? 'hang' : null) },
      { stream, timeoutMs: 30_000 },
    );
    server.onHang = () => world.timeOut();
    expect(textsOf(await observe(model, ONE))).toEqual([ANSWER]);
    expect(server.requests.length).toBe(2);
    server.onHang = () => undefined;
  });
});

describe('a fault', () => {
  it('of time says how long it took', async () => {
    const { model, server, world } = await openLoopback(
      { faultAt: () => 'hang' },
      { timeoutMs: 30_000, attempts: 1 },
    );
    server.onHang = () => world.timeOut();
    const [said] = textsOf(await observe(model, ONE));
    expect(said).toBe('endpoint_failed: the endpoint did not answer within 30 s (tried once)');
  });

  it.each([
    ['in seconds', { 'retry-after': '7' }, 7000],
    ['as a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, 20_000],
    ['in milliseconds', { 'retry-after-ms': '1234' }, 1234],
    ['that is shorter than the wait that is due', { 'retry-after': '0.1' }, 375],
    ['that is no number', { 'retry-after': 'soon' }, 375],
    ['that is over', { 'retry-after': 'Thu, 01 Jan 2015 00:00:20 GMT' }, 375],
  ])('with a Retry-After %s is waited for', async (_, headers, wait) => {
    const faultAt = (number: number) => (number === 0 ? { status: 429, headers } : null);
    const { model, world } = await openLoopback({ faultAt });
    await observe(model, ONE);
    expect(world.waits).toEqual([wait]);
  });

  const GOOGLE = 'You exceeded your current quota, please check your plan and billing details.';
  it.each([
    ['Please try again in 1m2.5s. Visit the page.', 62_500],
    ['Rate limit reached for requests. Please try again in 600ms.', 600],
    ['Please retry after 20 seconds.', 20_000],
    ['Please wait 1 minute, 5 seconds and try again', 65_000],
    [`${GOOGLE}\nPlease retry in 34.5s.`, 34_500],
    ['You may try again later; see 5 ways to raise your limit', 375],
  ])('that says in words how long to wait is waited for: %s', async (message, wait) => {
    const faultAt = (number: number) => (number === 0 ? { status: 429, error: { message } } : null);
    const { model, world } = await openLoopback({ faultAt });
    expect(textsOf(await observe(model, ONE))[0]).toMatch(/^The answer is/);
    expect(world.waits).toEqual([wait]);
  });

  it('that says among its details how long to wait is waited for, and is no want of money', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }];
    const error = { code: 429, message: GOOGLE, status: 'RESOURCE_EXHAUSTED', details };
    const { model, world } = await openLoopback({
      faultAt: (number) => (number === 0 ? { status: 429, error } : null),
    });
    expect(textsOf(await observe(model, ONE))[0]).toMatch(/^The answer is/);
    expect(world.waits).toEqual([34_000]);
  });

  it('with a Retry-After of hours is told at once', async () => {
    const faultAt = () => ({ status: 429, headers: { 'retry-after': '7200' } });
    const { model, server } = await openLoopback({ faultAt });
    expect(textsOf(await observe(model, ONE))[0]).toMatch(/^endpoint_failed: .*429/);
    expect(server.requests.length).toBe(1);
  });

  it('of the request is not repeated, and fails that row alone', async () => {
    const error = { message: 'maximum context length is 8 tokens', code: 'context_length_exceeded' };
    const faultAt = (number: number) => (number === 0 ? { status: 400, error } : null);
    const { model, server } = await openLoopback({ faultAt }, { concurrency: 1 });
    const [bad, good] = textsOf(await observe(model, [ask('a'), ask('b')]));
    expect(bad).toBe('endpoint_refused: the endpoint answered 400: maximum context length is 8 tokens');
    expect(good).toMatch(/^The answer/);
    expect(server.requests.length).toBe(2);
  });

  it("of the endpoint's filter fails that row alone, and costs one request", async () => {
    const { model, server } = await openLoopback({
      brain: ({ body }) => ({
        text: 'x',
        ...(body.max_completion_tokens === 1 ? {} : { finish: 'content_filter' }),
      }),
    });
    expect(textsOf(await observe(model, ONE))[0]).toMatch(/^endpoint_refused: .*filter/);
    expect(server.requests.length).toBe(1);
  });

  it.each([
    ['the key', { status: 401, error: { message: 'wrong key' } }, /401: wrong key/],
    ['the model', { status: 404, error: { message: 'no such model' } }, /404: no such model/],
    ['money', { status: 429, error: { message: 'quota', code: 'insufficient_quota' } }, /429: quota/],
    ['credit', { status: 400, error: { message: 'Your credit balance is too low' } }, /400: Your credit/],
    ['a balance', { status: 403, error: { message: 'no', code: 'insufficient_user_quota' } }, /403: no/],
    ['what is owed', { status: 400, error: { message: 'Access denied', code: 'Arrearage' } }, /400: Access/],
  ])('of %s ends the run at once', async (_, bad, message) => {
    const { model, server } = await openLoopback({ faultAt: () => bad }, { concurrency: 1 });
    const window = observe(
      model,
      Array.from({ length: 20 }, (_, at) => ask(`row ${at}`)),
    );
    await expect(window).rejects.toMatchObject({
      code: 'endpoint_refused',
      message: expect.stringMatching(message),
    });
    expect(server.requests.length).toBe(1);
  });

  it('of sixteen requests one after the other ends the run, and says where its answers are', async () => {
    const { model, server } = await openLoopback(
      { faultAt: () => ({ status: 500 }) },
      { concurrency: 1, attempts: 1 },
    );
    const rows = Array.from({ length: 40 }, (_, at) => ask(`row ${at}`));
    await expect(observe(model, rows)).rejects.toMatchObject({
      code: 'endpoint_failed',
      message: expect.stringContaining('failed at 16 requests one after the other'),
    });
    expect(server.requests.length).toBe(16);
  });

  it('of nobody there is told when the model is opened', async () => {
    const server = await LoopbackServer.start();
    const { url: baseUrl } = server;
    await server[Symbol.asyncDispose]();
    const world = new World();
    const opening = openApi('openai:tiny', { baseUrl, attempts: 2 }, world);
    const { code, message } = await faultOf(opening);
    expect(code).toBe('endpoint_failed');
    expect(message).toMatch(
      /^the endpoint cannot be reached at http:\/\/127\.0\.0\.1:\d+\/\S+: .*ECONNREFUSED.* \(tried 2 times\)$/,
    );
    expect(world.waits.length).toBe(1);
  });

  it('of a base URL without a path says where servers answer', async () => {
    const brain = () => {
      throw new Refusal(404, { message: 'not here' });
    };
    await using server = await LoopbackServer.start({ brain });
    const { origin } = new URL(server.url);
    const said = async (baseUrl: string) =>
      (await faultOf(openApi('openai:tiny', { baseUrl, attempts: 1 }, new World()))).message;
    expect(await said(origin)).toContain('the base URL has no path, and most servers answer below /v1');
    expect(await said(server.url)).not.toContain('below /v1');
  });
});

it('waits twice as long each time, by chance, and never longer than a minute', () => {
  expect([1, 2, 3, 4].map((failed) => waitAfter(failed, 0))).toEqual([250, 500, 1000, 2000]);
  expect(waitAfter(1, 0.999)).toBeCloseTo(500, 0);
  expect(waitAfter(40, 1)).toBe(60_000);
});

it('is cancelled in the middle of an answer, and in the middle of a wait', async () => {
  const controller = new AbortController();
  const { model, server } = await openLoopback({ faultAt: () => 'hang' });
  server.onHang = () => controller.abort();
  expect(await faultOf(observe(model, ONE, controller.signal))).toMatchObject({ code: 'cancelled' });
  const waiting = new AbortController();
  const second = await openLoopback({ faultAt: () => ({ status: 500 }) });
  second.world.sleep = async (_ms, signal) => {
    waiting.abort();
    if (signal.aborted) throw new Error('aborted');
  };
  expect(await faultOf(observe(second.model, ONE, waiting.signal))).toMatchObject({ code: 'cancelled' });
  expect(second.server.requests.length).toBe(1);
});
