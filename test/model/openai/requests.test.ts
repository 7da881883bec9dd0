/** What an endpoint is sent for a suite's request, what is refused instead, and how many are sent at a time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../../src/model/openai/index.ts';
import type { ObserveRequest } from '../../../src/observation/observation.ts';
import type { Prompt } from '../../../src/prompt/index.ts';
import { faultOf } from '../../fault.ts';
import { PNG } from '../../server/png.ts';
import { Refusal, type SentRequest } from '../../server/server.ts';
import { temporaryFolder } from '../../temporary.ts';
import { ask, KEY, observe, openLoopback, textsOf, World } from './world.ts';

describe('a request', () => {
  it('is a chat of one message, with what the suite asks and nothing else', async () => {
    const { model, server } = await openLoopback();
    await observe(model, [
      ask('hello', { maxTokens: 9, temperature: 0.5, topP: 0.9, seed: 3, stop: ['\n'] }),
    ]);
    expect(server.requests).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: `Bearer ${KEY}`,
        body: {
          model: 'tiny',
          messages: [{ role: 'user', content: 'hello' }],
          max_completion_tokens: 9,
          temperature: 0.5,
          top_p: 0.9,
          seed: 3,
          stop: ['\n'],
        },
      },
    ]);
  });

  it('has the tier, and no sampling where the preset is wanted', async () => {
    const { model, server } = await openLoopback({}, { serviceTier: 'flex', sampling: 'preset' });
    const messages = [
      { role: 'system' as const, content: 'be short' },
      { role: 'user' as const, content: 'hello' },
    ];
    // Two draws of one text are two requests.
    await observe(
      model,
      [0, 1].map((seed) => ask('', { prompt: { messages }, temperature: 1, seed })),
    );
    const body = { model: 'tiny', service_tier: 'flex', messages, max_completion_tokens: 256 };
    expect(server.requests.map((request) => request.body)).toEqual([body, body]);
  });

  it('is a text where completions are asked', async () => {
    const { model, server } = await openLoopback({}, { api: 'completions' });
    const observed = await observe(model, [
      ask('Once upon', { maxTokens: 4 }),
      ask('', { prompt: { messages: [] } }),
    ]);
    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/v1/completions', { model: 'tiny', prompt: 'Once upon', max_tokens: 4, temperature: 0 }],
    ]);
    expect(textsOf(observed)[1]).toMatch(/^no_chat_template: .*--api chat/);
    expect(observed.asked[0]!.texts).toEqual(['Once upon']);
    expect(model.takesChats).toBe(false);
  });

  it('shows images as parts of the last message of the user', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'q1_a.png'), PNG);
    const { model, server } = await openLoopback({}, { imageRoot: folder });
    expect(model.seesImages).toBe(true);
    await observe(model, [ask('what is it?', { images: ['q1_a.png'] })]);
    const url = `data:image/png;base64,${PNG.toString('base64')}`;
    expect(server.requests[0]!.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is it?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
    await observe(model, [ask('what is it now?', { images: ['q1_*.png'] })]);
    expect(JSON.stringify(server.requests[1]!.body)).toContain(url);
  });

  it('with an image that cannot be sent fails alone', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'large.png'), Buffer.concat([PNG, Buffer.alloc(100)]));
    writeFileSync(join(folder, 'text.png'), 'no image');
    const { model, server } = await openLoopback({}, { imageRoot: folder, maxImageBytes: PNG.length });
    const images = ['large.png', 'text.png', 'none.png', 'none_*.png'];
    const said = textsOf(
      await observe(
        model,
        images.map((image) => ask('?', { images: [image] })),
      ),
    );
    expect(said.map((text) => text.split(':')[0])).toEqual([
      'bad_argument',
      'bad_argument',
      'file_not_found',
      'file_not_found',
    ]);
    expect(said[0]).toContain(`at most ${PNG.length} are sent`);
    expect(said[1]).toContain('is no PNG, JPEG, GIF or WebP');
    expect(server.requests.length).toBe(0);
  });

  it('is refused where there is no way to ask it', async () => {
    const { model, server } = await openLoopback();
    const refused: ObserveRequest[] = [
      ask('x', { grammar: 'root ::= "a"' }),
      ask('x', { stepMetrics: true }),
      ask('x', { special: true }),
      ask('', { prompt: { messages: [{ role: 'user', content: 'x' }], assistantPrefill: 'I' } }),
      { kind: 'probe', text: 'x' },
      { kind: 'pair', text: 'x', textSwap: 'y' },
      { kind: 'score', prompt: 'x', continuations: ['y'] },
      { kind: 'embed', text: 'x' },
    ];
    for (const said of textsOf(await observe(model, refused)))
      expect(said).toMatch(/^not_supported: openai:tiny/);
    expect(server.requests.length).toBe(0);
    for (const request of refused.slice(4)) expect(model.refusal(request)?.code).toBe('not_supported');
    expect(model.refusal(ask('x'))).toBeNull();
    // Completions are advised where they could be asked.
    const plain = { kind: 'score', prompt: 'x', continuations: ['y'] } as const;
    const chat: Prompt = { messages: [{ role: 'user', content: 'x' }] };
    expect(model.refusal(plain)?.message).toContain('--api completions');
    const others: ObserveRequest[] = [
      { ...plain, perToken: true },
      { ...plain, special: true },
      { ...plain, prompt: chat },
    ];
    for (const other of others) expect(model.refusal(other)?.message).not.toContain('--api completions');
    expect(await faultOf(model.tokenizer.tokenizeAll(['x']))).toMatchObject({ code: 'not_supported' });
  });
});

it('has as many requests on their way as it may, and no more', async () => {
  let waiting: (() => void)[] = [];
  const { model, server } = await openLoopback(
    {
      // Three answer when three have come.
      brain: async ({ body }) => {
        if (!JSON.stringify(body).includes('row')) return { text: 'x' };
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < 3) return;
          for (const go of waiting) setImmediate(go);
          waiting = [];
        });
        return { text: 'x' };
      },
    },
    { concurrency: 3 },
  );
  await observe(
    model,
    Array.from({ length: 30 }, (_, at) => ask(`row ${at}`)),
  );
  expect(server.requests.length).toBe(30);
  expect(server.mostInFlight).toBe(3);
});

describe('counts and costs', () => {
  const prices = { tiny: { input: 2, output: 8, cachedInput: 1 }, 'tiny@flex': { input: 1, output: 4 } };
  const brain = () => ({ text: 'x', inputTokens: 1000, outputTokens: 100, cachedTokens: 400 });

  it('are those of the endpoint, by the table that is given', async () => {
    const { model } = await openLoopback({ brain }, { prices });
    await observe(model, [ask('a'), ask('b')]);
    const { asked } = model.usage;
    expect(asked).toMatchObject({
      requests: 2,
      inputTokens: 2000,
      cachedInputTokens: 800,
      outputTokens: 200,
    });
    expect(asked.cost).toBeCloseTo((1200 * 2 + 800 * 1 + 200 * 8) / 1e6, 12);
  });

  it('are not known, and not 0, for a model without a price', async () => {
    const { model } = await openLoopback({ brain }, { prices: { other: { input: 1, output: 1 } } });
    await observe(model, [ask('a')]);
    expect(model.usage.asked.cost).toBeNull();
    expect(model.usage.served).toEqual({ models: ['tiny-2026'], fingerprints: ['fp_1'], tiers: [] });
  });
});

describe('what an endpoint can do', () => {
  const unless = (refuses: (request: SentRequest) => string | null) => (request: SentRequest) => {
    const param = refuses(request);
    if (param !== null) throw new Refusal(400, { message: `Unsupported parameter: ${param}`, param });
    return { text: 'four, five', outputTokens: 40 };
  };

  it('is asked in tiny requests, and said with what it refused', async () => {
    const { model, server } = await openLoopback({
      brain: unless(({ body }) => {
        if ('max_completion_tokens' in body) return 'max_completion_tokens';
        if (body.logprobs) return 'logprobs';
        return JSON.stringify(body).includes('image_url') ? 'image_url' : null;
      }),
    });
    expect(model.capabilities).toMatchObject({
      tokenLimit: 'max_tokens',
      temperature: true,
      topLogProbs: 0,
      echo: null,
      images: false,
      refused: {
        topLogProbs: expect.stringContaining('Unsupported parameter: logprobs'),
        images: expect.stringContaining('Unsupported parameter: image_url'),
      },
    });
    expect(server.requests).toEqual([]);
    expect(server.probes.length).toBe(6);
    expect(textsOf(await observe(model, [ask('x', { images: ['a.png'] })]))[0]).toMatch(/^not_supported/);
  });

  it('does not count a limit that the server reads past', async () => {
    const { model } = await openLoopback({
      limits: ['max_tokens'],
      brain: () => ({ text: 'four, five, six', outputTokens: 40 }),
    });
    expect(model.capabilities.tokenLimit).toBe('max_tokens');
  });

  it.each([
    ['a server that keeps to none', () => null, 'max_tokens'],
    [
      'one that refuses the other',
      () => new Refusal(400, { message: 'unknown: max_tokens' }),
      'max_completion_tokens',
    ],
  ])('asks %s all the same, and says so', async (_, refusal, tokenLimit) => {
    const { model } = await openLoopback({
      limits: [],
      brain: ({ body }) => {
        const refused = 'max_tokens' in body ? refusal() : null;
        if (refused) throw refused;
        return { text: 'four, five, six', outputTokens: 40 };
      },
    });
    expect(model.capabilities).toMatchObject({
      tokenLimit,
      leastTokens: 1,
      refused: { tokenLimit: `the answer is longer than ${tokenLimit} allows` },
    });
    const said = await observe(model, [ask('x', { maxTokens: 39 }), ask('x', { maxTokens: 38 })]);
    expect(textsOf(said)).toEqual(['four, five, six', 'four, five, six']);
    const notes = ['the endpoint counts more tokens than were asked for at most'];
    expect(said.remarks).toEqual([{ request: 1, notes, reasoning: '' }]);
  });

  it('of a model that takes no temperature: is refused, and works with its preset', async () => {
    const brain = unless(({ body }) => ('temperature' in body ? 'temperature' : null));
    const { server, model } = await openLoopback({ brain }, { sampling: 'preset' });
    expect(textsOf(await observe(model, [ask('x')]))).toEqual(['four, five']);
    const { code, message } = await faultOf(openApi('openai:tiny', { baseUrl: server.url }, new World()));
    expect(code).toBe('not_supported');
    expect(message).toContain('--sampling preset');
  });

  it('of a server that fails at images as at a fault of its own: it shows none', async () => {
    const { model, world } = await openLoopback({
      brain: ({ body }) => {
        if (JSON.stringify(body).includes('image_url')) throw new Refusal(500, { message: 'no mmproj' });
        return { text: 'x' };
      },
    });
    expect(model.capabilities.images).toBe(false);
    expect(world.waits).toEqual([]);
  });
});

describe('options', () => {
  it.each([
    [{ baseUrl: 'nowhere' }, 'baseUrl'],
    [{ baseUrl: 'ftp://127.0.0.1' }, 'baseUrl'],
    [{ baseUrl: 'http://me:secret@127.0.0.1/v1' }, 'baseUrl'],
    [{ baseUrl: 'http://127.0.0.1/v1?key=secret' }, 'baseUrl'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ attempts: 1.5 }, 'attempts'],
    [{ prices: { a: { input: -1, output: 1 } } }, 'prices'],
  ])('%j are refused by name, without what may be secret', async (options, key) => {
    const { code, message } = await faultOf(openApi('openai:x', options, new World()));
    expect(code).toBe('bad_argument');
    expect(message).toContain(key);
    expect(message).not.toContain('secret');
  });

  it('come from the environment where they are not given; a key is needed unless the server is on this machine', async () => {
    const { server } = await openLoopback();
    const here = new World({ OPENAI_BASE_URL: server.url });
    const model = await openApi('openai:tiny', {}, here);
    expect(model.describe().baseUrl).toBe(server.url);
    expect(server.probes.at(-1)!.authorization).toBe('Bearer none');
    await model.close();
    expect(await faultOf(openApi('openai:x', {}, new World({})))).toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining('OPENAI_API_KEY'),
    });
  });
});
