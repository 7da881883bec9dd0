/** How an endpoint is opened that refuses one thing or another, and how it is asked then. */
import { describe, expect, it } from 'vitest';
import { faultOf } from '../../fault.ts';
import { refuse, when } from '../../server/oddities.ts';
import { Refusal, type SentRequest } from '../../server/server.ts';
import { ask, observe, openLoopback, textsOf } from './world.ts';

const mostOf = ({ body }: SentRequest) => Number(body.max_completion_tokens ?? body.max_tokens);
const holds = (text: string) => (about: { request: SentRequest }) =>
  JSON.stringify(about.request.body).includes(text);
const STATUSES = [400, 401, 402, 403, 404, 405, 408, 409, 422, 429, 451, 500, 501, 502, 503, 504, 529];
const SYSTEM = [
  { role: 'system' as const, content: 'Be short.' },
  { role: 'user' as const, content: 'Who?' },
];

describe('the limit of tokens', () => {
  it.each([
    [16, 'max_tokens is too low', 400],
    [16, 'max_output_tokens must be at least 16', 400],
    [
      200,
      'Could not finish the message because max_tokens was reached. Please try again with higher max_tokens.',
      400,
    ],
    [1024, 'ensure this value is greater than or equal to 1024', 422],
  ])('of at least %i is found (%s)', async (least, said, status) => {
    const { model } = await openLoopback({
      brain: (request) => {
        if (mostOf(request) < least) throw new Refusal(status, { message: said });
        return { text: 'A' };
      },
    });
    expect(model.capabilities.leastTokens).toBeGreaterThanOrEqual(least);
    expect(textsOf(await observe(model, [ask('x', { maxTokens: 2048 })]))).toEqual(['A']);
  });

  it('that is refused at every size is reported in the words of the server', async () => {
    const brain = () => {
      throw new Refusal(400, { message: 'max_tokens is too low, always' });
    };
    expect(await faultOf(openLoopback({ brain }))).toMatchObject({
      code: 'endpoint_refused',
      message: expect.stringContaining('max_tokens is too low, always'),
    });
  });
});

describe('an extra', () => {
  const extras = [
    ['images', 'image_url', 'chat'],
    ['lists in chats', 'top_logprobs', 'chat'],
    ['lists', '"logprobs"', 'completions'],
    ['echoes', '"echo"', 'completions'],
  ] as const;
  it.each(
    extras.flatMap(([name, mark, api]) => STATUSES.map((status) => [name, status, mark, api] as const)),
  )('of %s that is refused with %i is done without', async (_, status, mark, api) => {
    const oddity = when(holds(mark), refuse(status, { error: { message: 'not for you' } }));
    const { model, world } = await openLoopback({ oddities: [oddity] }, { api });
    expect(Object.values(model.capabilities.refused).join()).toContain('not for you');
    expect(textsOf(await observe(model, [ask('x')]))[0]).toMatch(/^The answer is/);
    expect(world.waits).toEqual([]);
  });

  it('that nothing needs is not asked about', async () => {
    const { model, server } = await openLoopback({}, { probe: 'needed' });
    expect(textsOf(await observe(model, [ask('x')]))[0]).toMatch(/^The answer is/);
    expect(server.probes.length).toBe(1);
    expect(model.capabilities.refused.images).toContain('was not asked');
  });

  it('that is needed is asked about once, and more than once where the moment is at fault', async () => {
    let asked = 0;
    const brain = ({ body }: SentRequest) => {
      if (JSON.stringify(body).includes('image_url')) {
        asked += 1;
        if (asked < 3) throw new Refusal(502, { message: 'gateway' });
      }
      return { text: 'A' };
    };
    const { model, server } = await openLoopback({ brain }, { probe: 'needed' });
    await model.prepare([ask('x', { images: ['a.png'] })]);
    await model.prepare([ask('y', { images: ['b.png'] })]);
    expect([model.seesImages, asked, server.probes.length]).toEqual([true, 3, 4]);
  });
});

describe('an endpoint without a system role', () => {
  const noSystem = (status: number) =>
    when(holds('"system"'), refuse(status, { error: { message: 'System role not supported' } }));

  it.each([400, 422, 500, 501])(
    'that refuses it with %i gets the instruction in front of what the user says',
    async (status) => {
      const { model, server } = await openLoopback({ oddities: [noSystem(status)] });
      const observed = await observe(model, [ask('', { prompt: { messages: SYSTEM } })]);
      expect(textsOf(observed)[0]).toMatch(/^The answer is/);
      expect(server.requests.at(-1)!.body.messages).toEqual([{ role: 'user', content: 'Be short.\n\nWho?' }]);
      expect(observed.asked[0]!.texts[0]).toContain('Be short.\\n\\nWho?');
      expect(model.describe().capabilities).toMatchObject({
        systemRole: false,
        refused: { systemRole: expect.stringContaining('System role not supported') },
      });
    },
  );

  it('is not made to have one, and not made to lack one', async () => {
    const { model: kept } = await openLoopback({ oddities: [noSystem(400)] }, { systemRole: 'keep' });
    const asked = [ask('', { prompt: { messages: SYSTEM } })];
    expect(textsOf(await observe(kept, asked))[0]).toMatch(/^endpoint_refused: .*System role not supported/);
    const { model: folded, server } = await openLoopback({}, { systemRole: 'fold' });
    await observe(folded, asked);
    expect(server.requests[0]!.body.messages).toEqual([{ role: 'user', content: 'Be short.\n\nWho?' }]);
  });

  it('is not taken for one because of a fault of the moment, or of too many requests', async () => {
    for (const status of [429, 502, 503]) {
      const { model } = await openLoopback({ oddities: [when(({ probe }) => probe, noSystem(status))] });
      await observe(model, [ask('', { prompt: { messages: SYSTEM } })]);
      expect(model.capabilities.systemRole).toBeNull();
    }
    let failures = 0;
    const once = when((about) => holds('"system"')(about) && failures++ === 0, refuse(500, 'oops'));
    const { model } = await openLoopback({ oddities: [once] });
    await observe(model, [ask('', { prompt: { messages: SYSTEM } })]);
    expect(model.capabilities.systemRole).toBe(true);
  });
});

describe('a server that is loading its model', () => {
  const LOADING = [
    { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    { error: 'Model x is currently loading', estimated_time: 120 },
    { detail: 'service is starting up' },
  ];
  it.each(LOADING)('is waited for, and the reason is shown: %j', async (body) => {
    let left = 20;
    const oddity = when(() => left-- > 0, refuse(503, body));
    const reasons: string[] = [];
    const { model, world } = await openLoopback(
      { oddities: [oddity] },
      { onWait: (reason) => reasons.push(reason) },
    );
    expect(textsOf(await observe(model, [ask('x')]))[0]).toMatch(/^The answer is/);
    expect(world.waits.length).toBe(20);
    expect(Math.max(...world.waits)).toBeLessThanOrEqual(15_000);
    expect(reasons[0]).toMatch(/503: .*(?:[Ll]oading|starting)/);
  });

  it('is given up after the limit, with what it says', async () => {
    const opening = openLoopback(
      { oddities: [refuse(503, LOADING[0])] },
      { loadingTimeoutMs: 60_000, attempts: 2 },
    );
    const { code, message } = await faultOf(opening);
    expect([code, message]).toEqual([
      'endpoint_failed',
      'the endpoint answered 503: Loading model; it was waited for 60 s while it loaded (--loading-timeout) (tried once)',
    ]);
  });

  it('is no server that is only busy', async () => {
    const opening = openLoopback(
      { oddities: [refuse(503, { error: 'too many requests at once' })] },
      { attempts: 3 },
    );
    expect((await faultOf(opening)).message).toContain('(tried 3 times)');
  });
});

it('ends a run that is refused with 403 again and again without a word of a filter', async () => {
  const oddity = when(({ probe }) => !probe, refuse(403, { error: { message: 'country not served' } }));
  const { model, server } = await openLoopback({ oddities: [oddity] }, { concurrency: 1 });
  const rows = Array.from({ length: 40 }, (_, at) => ask(`row ${at}`));
  expect(await faultOf(observe(model, rows))).toMatchObject({
    code: 'endpoint_refused',
    message: expect.stringContaining('refused 16 requests one after the other, and the run ends'),
  });
  expect(server.requests.length).toBe(16);
});
