/** What may come over the wire, and how much of it: limits by what was asked, and where requests may be sent on to. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { textOf } from '../../server/draft.ts';
import { content, refuse, when, wire } from '../../server/oddities.ts';
import { LoopbackServer, type Oddity } from '../../server/server.ts';
import { ask, observe, openLoopback, openVectors, textsOf } from './world.ts';

const MIB = 2 ** 20;
const rows: (oddity: Oddity) => Oddity = (oddity) =>
  when(({ request }) => JSON.stringify(request.body).includes('bad'), oddity);

/** Never ends by itself; tells how much of it was taken. */
function endless(piece: string): { oddity: Oddity; taken: () => number } {
  let taken = 0;
  async function* parts() {
    for (;;) {
      taken += piece.length;
      yield piece;
    }
  }
  return { oddity: (draft) => ({ ...draft, raw: parts() }), taken: () => taken };
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('an answer that comes %s', (_, stream) => {
  async function saidTo(oddity: Oddity, more = {}) {
    const { model, server } = await openLoopback({ oddities: [rows(oddity)] }, { stream, ...more });
    const said = textsOf(await observe(model, [ask('bad', { maxTokens: 8 }), ask('good', { maxTokens: 8 })]));
    expect(said[1]).toMatch(/^The answer is/);
    return { said: said[0]!, requests: server.requests.length };
  }

  it.each([
    ['in one text', 'x'.repeat(64 * 1024)],
    ['in pieces', `data: {"choices":[{"index":0,"delta":{"content":"${'y'.repeat(1000)}"}}]}\n\n`.repeat(64)],
    ['in comments', ': still here\n\n'.repeat(4096)],
  ])('and never ends, %s, fails its row at the limit', async (_, piece) => {
    const { oddity, taken } = endless(piece);
    const { said, requests } = await saidTo(oddity);
    expect(said).toMatch(/sent 16\.\d MiB and more, and an answer to this request has at most 16\.\d MiB/);
    expect(requests).toBe(2);
    expect(taken()).toBeLessThan(40 * MIB);
  });

  it('packed so that it is a thousand times as large fails its row', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB, 'x'));
    const { said } = await saidTo(() => ({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      raw: [bomb],
    }));
    expect(said).toMatch(/sent 16\.\d MiB and more/);
  });

  it('packed is unpacked', async () => {
    const { said } = await saidTo(
      wire((text) => [gzipSync(text)], {
        headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
      }),
    );
    expect(said).toMatch(/^The answer is/);
  });

  it('and says that it is larger than it may be is not read', async () => {
    const { said } = await saidTo((draft) => ({
      ...draft,
      headers: { 'content-length': `${900 * MIB}` },
      raw: ['{'],
    }));
    expect(said).toMatch(/announced 900\.0 MiB/);
  });

  it('with a text that so few tokens cannot be fails its row', async () => {
    const { said, requests } = await saidTo(
      content((text) => (text === '' ? '' : 'z'.repeat(5_000))),
      {},
    );
    if (stream) expect(said).toMatch(/a text of \d+ characters, and an answer of 8 tokens has at most 18432/);
    else expect(said).toBe('z'.repeat(5_000));
    expect(requests).toBe(2);
    const large = await saidTo(content((text) => (text === '' ? '' : 'z'.repeat(30_000))));
    expect(large.said).toMatch(/a text of \d+ characters, and an answer of 8 tokens has at most 18432/);
  });

  it('with a fault of many megabytes says its beginning', async () => {
    const { oddity } = endless('no such luck. ');
    const { said } = await saidTo((draft, about) => ({ ...oddity(draft, about)!, status: 400 }));
    expect(said).toMatch(/^endpoint_refused: the endpoint answered 400: no such luck\. .*…$/);
    expect(said.length).toBeLessThan(600);
  });

  it('with more headers than are read says so', async () => {
    const headers = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`x-${at}`, 'v'.repeat(100)]));
    const { said } = await saidTo((draft) => ({ ...draft, headers }), { attempts: 1 });
    expect(said).toMatch(/Headers Overflow/);
  });

  it('a byte at a time is given up when its time is over', async () => {
    const { model, world } = await openLoopback(
      {
        oddities: [
          rows((draft) => ({
            ...draft,
            raw: (async function* () {
              yield '{';
              for (let at = 0; at < 20; at += 1) yield ' ';
              world.timeOut();
              yield ' ';
            })(),
            after: 'hold',
          })),
        ],
      },
      { stream, attempts: 1, timeoutMs: 30_000 },
    );
    expect(textsOf(await observe(model, [ask('bad')]))[0]).toBe(
      'endpoint_failed: the endpoint did not answer within 30 s (tried once)',
    );
  });
});

it('a stream that is whole but for its end counts when its time is over', async () => {
  const { model, world, server } = await openLoopback(
    {
      oddities: [
        rows(
          wire(
            (text) => {
              setTimeout(() => world.timeOut(), 50);
              return [text.replace('data: [DONE]\n\n', '')];
            },
            { after: 'hold' },
          ),
        ),
      ],
    },
    { stream: true },
  );
  expect(textsOf(await observe(model, [ask('bad')]))[0]).toMatch(/^The answer is/);
  expect(server.requests.length).toBe(1);
});

it('is waited for as long as was asked, however soon connections end by themselves', async () => {
  const dispatcher = Symbol.for('undici.globalDispatcher.1');
  const world = globalThis as unknown as { [dispatcher]: object };
  const own = world[dispatcher]!;
  onTestFinished(() => {
    world[dispatcher] = own;
  });
  const Agent = own.constructor as new (options: object) => object;
  world[dispatcher] = new Agent({ headersTimeout: 50, bodyTimeout: 50 });
  const slow = createServer((request, response) => {
    if (request.url === '/body') response.writeHead(200).write('{');
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  onTestFinished(() => void slow.closeAllConnections());
  onTestFinished(() => void slow.close());
  // Another request that was made later ended, at each of both limits, before the answer went on.
  const ended: unknown[] = [];
  const outlive = async (path: string) => {
    const response = fetch(`http://127.0.0.1:${(slow.address() as AddressInfo).port}${path}`);
    await response.then((own) => own.text()).catch(({ cause }) => ended.push(cause.code));
  };
  const oddity: Oddity = (draft) => ({
    ...draft,
    raw: (async function* () {
      const text = textOf(draft);
      await outlive('/head');
      yield text.slice(0, 9);
      await outlive('/body');
      yield text.slice(9);
    })(),
  });
  const { model } = await openLoopback({ oddities: [rows(oddity)] }, { attempts: 1, timeoutMs: 3_600_000 });
  expect(textsOf(await observe(model, [ask('bad')]))[0]).toMatch(/^The answer is/);
  expect(ended).toEqual(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
});

describe('a redirect', () => {
  const to = (location: string, status = 307): Oddity => refuse(status, '', { location });

  it.each([301, 302, 307, 308])('with %i within the host is followed, with everything', async (status) => {
    const oddity = when(
      ({ request }) => request.path === '/v1/chat/completions',
      to('/v2/chat/completions', status),
    );
    const { model, server } = await openLoopback({ oddities: [oddity] });
    expect(textsOf(await observe(model, [ask('x')]))[0]).toMatch(/^The answer is/);
    const [first, second] = server.requests;
    expect([first!.path, second!.path]).toEqual(['/v1/chat/completions', '/v2/chat/completions']);
    expect(second!.authorization).toBe(first!.authorization);
    expect(second!.body).toEqual(first!.body);
  });

  it('to another host is refused, and nothing goes there', async () => {
    await using other = await LoopbackServer.start();
    const { model } = await openLoopback({
      oddities: [when(({ probe }) => !probe, to(`${other.url}/chat/completions`))],
    });
    const [said] = textsOf(await observe(model, [ask('x')]));
    expect(said).toMatch(
      /^endpoint_refused: the endpoint redirects to http:\/\/127\.0\.0\.1:\d+, .*--allow-redirect/,
    );
    expect([other.requests.length, other.probes.length]).toEqual([0, 0]);
    await expect(openLoopback({ oddities: [to(other.url)] })).rejects.toMatchObject({
      code: 'endpoint_refused',
      message: expect.stringContaining('redirects to'),
    });
  });

  it('to another host is followed where that is allowed, without the key', async () => {
    await using other = await LoopbackServer.start();
    const { model } = await openLoopback(
      { oddities: [when(({ probe }) => !probe, to(`${other.url}/chat/completions`))] },
      { allowRedirect: true },
    );
    expect(textsOf(await observe(model, [ask('x')]))[0]).toMatch(/^The answer is/);
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('to another host takes along nothing that tells who asks', async () => {
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Proxy-Token: 0123456789abcdefXYZ');
    onTestFinished(() => void vi.unstubAllEnvs());
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(JSON.stringify(request.headers));
      response.end('{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { model } = await openLoopback(
      { oddities: [when(({ probe }) => !probe, to(`http://127.0.0.1:${port}/v1`))] },
      { allowRedirect: true },
    );
    expect(textsOf(await observe(model, [ask('x')]))).toEqual(['x']);
    expect(seen.length).toBe(1);
    expect(seen[0]).not.toMatch(/0123456789abcdefXYZ|authorization|x-proxy/i);
  });

  it.each([
    'file:///etc/hostname',
    'data:application/json,{"choices":[{"message":{"content":"x"}}]}',
    'ftp://127.0.0.1/v1',
    'javascript:1',
    'http://somebody:secret@127.0.0.1/v1',
  ])('to %s is refused, though other hosts are allowed', async (location) => {
    const { model } = await openLoopback(
      { oddities: [when(({ probe }) => !probe, to(location))] },
      { allowRedirect: true },
    );
    expect(textsOf(await observe(model, [ask('x')]))[0]).toMatch(/^endpoint_refused: .*cannot be followed/);
  });

  it.each([301, 302, 303, 307, 308])('with %i to another port of the host is refused', async (status) => {
    await using other = await LoopbackServer.start();
    const { model } = await openLoopback({
      oddities: [when(({ probe }) => !probe, to(`${other.url}/chat/completions`, status))],
    });
    expect(textsOf(await observe(model, [ask('x')]))[0]).toMatch(/^endpoint_refused: .*redirect/);
    expect([other.requests.length, other.probes.length]).toEqual([0, 0]);
  });

  it.each(['http://', '::', '/v1/chat/completions'])(
    'to %s is followed nowhere, or not for ever',
    async (location) => {
      const { model, server } = await openLoopback({ oddities: [when(({ probe }) => !probe, to(location))] });
      expect(textsOf(await observe(model, [ask('x')]))[0]).toMatch(/^endpoint_refused: .*redirect/);
      expect(server.requests.length).toBeLessThan(10);
    },
  );
});

describe('vectors', () => {
  const packed = (values: number[]) => Buffer.from(Float32Array.from(values).buffer).toString('base64');
  it.each([
    ['in Base64', packed([1, 2])],
    ['in a list of one', [[1, 2]]],
  ])('%s are read', async (_, vector) => {
    const { embedder } = await openVectors({
      vectors: ({ body }) => body.input!.map(() => ({ index: 0, embedding: vector })),
    });
    expect(await embedder.embed(['a'])).toEqual([Float32Array.of(1, 2)]);
  });

  it.each([
    ['texts', ['1', '2']],
    ['null', null],
    ['nothing', []],
    ['a word', 'none'],
    ['half a number', Buffer.from([1, 2, 3]).toString('base64')],
    ['NaN', packed([1, Number.NaN])],
    ['true', [true, false]],
  ])('of %s are at fault, and nobody is down for it', async (_, vector) => {
    const { embedder, server } = await openVectors(
      { vectors: ({ body }) => body.input!.map(() => ({ index: 0, embedding: vector })) },
      { attempts: 1, textsPerRequest: 1 },
    );
    const vectors = await embedder.embed(Array.from({ length: 20 }, (_, at) => `t${at}`));
    for (const own of vectors) expect(String(own)).toMatch(/other vectors than were asked for/);
    expect(server.requests.length).toBe(20);
  });
});
