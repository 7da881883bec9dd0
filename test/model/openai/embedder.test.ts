/** Vectors from an endpoint: what is sent, what is checked, and what becomes of an endpoint's faults. */
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../../src/errors.ts';
import { openEmbedder } from '../../../src/model/openai/embedder.ts';
import { readEmbeddings } from '../../../src/model/openai/embeddings.ts';
import { faultOf } from '../../fault.ts';
import { type Fault, Refusal, type SentRequest } from '../../server/server.ts';
import { KEY, openVectors, World } from './world.ts';

const vectorOf = (text: string) => [text.length, 1, -0.5];
const vectors = ({ body }: SentRequest) => body.input!.map(vectorOf);
const TEXTS = Array.from({ length: 10 }, (_, at) => 'x'.repeat(at + 1));

const plain = (all: readonly (Float32Array | AuditError)[]) =>
  all.map((one) => (one instanceof AuditError ? `${one.code}: ${one.message}` : [...one]));

describe('an embedder', () => {
  it('is asked in batches, a few at a time, and its vectors are in the order of the texts', async () => {
    let both = () => undefined as unknown;
    const waits = new Promise((resolve) => {
      both = () => resolve(undefined);
    });
    const { embedder, server } = await openVectors(
      {
        async vectors(request) {
          if (server.requests.length === 2) both();
          await waits;
          return vectors(request);
        },
      },
      { textsPerRequest: 3, concurrency: 2 },
    );
    expect(plain(await embedder.embed(TEXTS))).toEqual(TEXTS.map(vectorOf));
    // Nothing else is asked: no chat, no probe.
    expect(server.probes).toEqual([]);
    expect(server.requests.map(({ path, body }) => [path, body.input!.length])).toEqual(
      [3, 3, 3, 1].map((length) => ['/v1/embeddings', length]),
    );
    expect(server.mostInFlight).toBe(2);
    expect(server.requests[0]!.body).toEqual({
      model: 'tiny',
      input: TEXTS.slice(0, 3),
      encoding_format: 'float',
    });
    expect(server.requests[0]!.authorization).toBe(`Bearer ${KEY}`);
  });

  it('is known by its model, its address and its dimensions, and by no key', async () => {
    const { embedder, server } = await openVectors({ vectors }, { dimensions: 3 });
    expect(embedder.identity).toEqual({
      kind: 'openai',
      name: 'tiny',
      sha256: null,
      settings: { baseUrl: server.url, dimensions: 3 },
    });
    await embedder.embed(['a']);
    expect(server.requests[0]!.body.dimensions).toBe(3);
    expect(JSON.stringify(embedder)).not.toContain(KEY);
  });

  it('counts tokens and what they cost', async () => {
    const prices = { tiny: { input: 2, output: 0 } };
    const { embedder } = await openVectors(
      { vectors, faultAt: (at) => (at === 0 ? { status: 429 } : null) },
      { prices },
    );
    await embedder.embed(TEXTS);
    expect(embedder.usage).toMatchObject({
      asked: { requests: 1, inputTokens: 55, outputTokens: 0, cost: 110 / 1e6 },
      repeatedAttempts: 1,
      served: { models: ['tiny-2026'] },
    });
  });

  it.each<[string, Fault]>([
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['a cut connection', 'cut'],
    ['a connection cut before the answer', 'cutHead'],
    ['malformed JSON', 'malformed'],
    ['something else', 'html'],
  ])('that fails twice with %s is asked a third time, after waits that double', async (_, fault) => {
    const { embedder, server, world } = await openVectors({
      vectors,
      faultAt: (at) => (at < 2 ? fault : null),
    });
    expect(plain(await embedder.embed(['abc']))).toEqual([[3, 1, -0.5]]);
    expect([server.requests.length, world.waits]).toEqual([3, [375, 750]]);
  });

  it('that hangs is given up after the time limit, and asked again', async () => {
    const faultAt = (at: number) => (at === 0 ? 'hang' : null);
    const { embedder, server, world } = await openVectors({ vectors, faultAt }, { timeoutMs: 30_000 });
    server.onHang = () => world.timeOut();
    expect(plain(await embedder.embed(['abc']))).toEqual([[3, 1, -0.5]]);
  });

  it.each<[string, unknown[], string]>([
    ['too few vectors', [[1, 2]], '1 for 2 texts'],
    ['too many', [[1], [2], [3]], '3 for 2 texts'],
    [
      'two of one text',
      [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [2] },
      ],
      'two of text 0',
    ],
    ['one of a text that was not asked', [[1], { index: 2, embedding: [2] }], 'one of text 2'],
    ['two lengths', [[1, 2], [1]], '2 and 1 entries'],
    ['entries that are no float32', [[1], [1e300]], 'text 1 has entries that are not finite'],
    [
      'a vector of 0',
      [
        [0, 0],
        [1, 2],
      ],
      'that of text 0 is 0',
    ],
    ['no numbers', [['a'], ['b']], 'something else than an answer'],
    ['null', [[1], [null]], 'something else than an answer'],
  ])('with %s is at fault', (_, answer, told) => {
    const data = answer.map((own, index) => (Array.isArray(own) ? { index, embedding: own } : own));
    expect(() => readEmbeddings({ data }, 2)).toThrow(told);
  });

  it('that goes on to answer with other vectors than were asked for fails those texts', async () => {
    const short = ({ body }: SentRequest) => (body.input!.includes('b') ? [] : body.input!.map(vectorOf));
    const { embedder, server } = await openVectors({ vectors: short }, { attempts: 2 });
    expect(plain(await embedder.embed(['a', 'b']))).toEqual([
      vectorOf('a'),
      expect.stringMatching(/^endpoint_failed: .*0 for 1 texts \(tried 2 times\)$/),
    ]);
    expect(server.requests.map(({ body }) => body.input!.length)).toEqual([2, 2, 1, 1, 1]);
  });

  it('finds the text that is refused, and tells one that is too long as such', async () => {
    for (const [status, message] of [
      [400, "This model's maximum context length is 5 tokens, however you requested 7 tokens"],
      [500, 'input (7 tokens) is too large to process. increase the physical batch size'],
      [413, 'Input validation error: `inputs` must have less than 5 tokens. Given: 7'],
    ] as const) {
      const { embedder, server, world } = await openVectors(
        {
          vectors: (request) => {
            if (request.body.input!.some((text) => text.length === 7)) throw new Refusal(status, { message });
            if (request.body.input!.includes('bad')) throw new Refusal(400, { message: 'not that one' });
            return vectors(request);
          },
        },
        { textsPerRequest: 4 },
      );
      const said = plain(await embedder.embed(['a', 'bad', 'xxxxxxx', 'ab', 'abc']));
      expect(said).toEqual([
        vectorOf('a'),
        expect.stringMatching(/^endpoint_refused: .*not that one$/),
        expect.stringMatching(/^context_overflow: /),
        vectorOf('ab'),
        vectorOf('abc'),
      ]);
      // A refusal is not repeated, whatever its status.
      expect([server.requests.length, world.waits]).toEqual([6, []]);
    }
  });

  it('ends at once where the key is refused or the endpoint is down, and says which', async () => {
    const refused = await openVectors({
      vectors: ({ authorization }) => {
        throw new Refusal(401, { message: `wrong key ${authorization}` });
      },
    });
    const bad = await faultOf(() => refused.embedder.embed(TEXTS));
    expect([bad.code, bad.message]).toEqual([
      'endpoint_refused',
      'the endpoint answered 401: wrong key Bearer [key]',
    ]);
    const down = await openVectors(
      { vectors, faultAt: () => ({ status: 503 }) },
      { textsPerRequest: 1, concurrency: 2, attempts: 2 },
    );
    const many = Array.from({ length: 40 }, (_, at) => `text ${at}`);
    const fault = await faultOf(() => down.embedder.embed(many));
    expect([fault.code, fault.message]).toEqual([
      'endpoint_failed',
      expect.stringMatching(/16 requests one after the other, so it is down.*the vectors so far are kept/),
    ]);
    expect(down.server.requests.length).toBeLessThanOrEqual(2 * 18);
  });

  it('is cancelled at once', async () => {
    const { embedder, server } = await openVectors({ vectors, faultAt: () => 'hang' });
    const controller = new AbortController();
    server.onHang = () => controller.abort();
    expect((await faultOf(() => embedder.embed(TEXTS, { signal: controller.signal }))).code).toBe(
      'cancelled',
    );
  });

  it.each([
    ['openai:', {}, 'names no API model'],
    ['openai:x', { baseUrl: 'http://user:secret@127.0.0.1/v1' }, 'holds a user, a password'],
    ['openai:x', { textsPerRequest: 0 }, 'textsPerRequest cannot be'],
    ['openai:x', { dimensions: 0.5 }, 'dimensions cannot be'],
    ['openai:x', { concurrency: 0 }, 'concurrency cannot be'],
  ])('%s with %o is refused', async (model, options, told) => {
    expect((await faultOf(() => openEmbedder(model, options, new World()))).message).toContain(told);
  });

  it('needs a key, unless it is on this machine', async () => {
    const keyless = new World({});
    const far = await faultOf(() => openEmbedder('openai:x', { baseUrl: 'https://far.invalid/v1' }, keyless));
    expect(far.message).toContain('OPENAI_API_KEY');
    const { embedder } = await openVectors({ vectors }, {}, keyless);
    expect(plain(await embedder.embed(['a']))).toEqual([vectorOf('a')]);
  });
});
