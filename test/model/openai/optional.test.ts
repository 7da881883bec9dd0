/** What a request can do without: where it is refused, it is left out, the rows are answered, and a note says so. */
import { describe, expect, it } from 'vitest';
import { faultOf } from '../../fault.ts';
import { Refusal, type SentRequest } from '../../server/server.ts';
import { ask, observe, openLoopback, openVectors, textsOf } from './world.ts';

/** How servers say that they do not take a field. */
const REFUSALS: readonly (readonly [who: string, refusal: (name: string) => Refusal])[] = [
  [
    'OpenAI',
    (name) =>
      new Refusal(400, {
        message: `Unsupported parameter: '${name}' is not supported with this model.`,
        param: name,
      }),
  ],
  ['xAI', (name) => new Refusal(400, { message: `Argument not supported on this model: ${name}` })],
  [
    'Google',
    (name) =>
      new Refusal(400, {
        message: `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
      }),
  ],
  [
    'Azure',
    (name) => new Refusal(400, { message: `Unrecognized request argument supplied: ${name}`, param: null }),
  ],
  [
    'Mistral',
    (name) =>
      new Refusal(422, {
        detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' }],
      }),
  ],
];

const unless =
  (names: readonly string[], refusal: (name: string) => Refusal, text = 'One.\nTwo.') =>
  ({ body }: SentRequest) => {
    const name = names.find((own) => own in body);
    if (name !== undefined) throw refusal(name);
    return { text };
  };

describe.each(REFUSALS)('as %s refuses it,', (_, refusal) => {
  it('a seed is not sent, and draws are asked apart', async () => {
    const { model, server } = await openLoopback({ brain: unless(['seed'], refusal) }, { concurrency: 1 });
    const draws = [0, 1, 2].map((seed) => ask('x', { temperature: 1, seed }));
    const observed = await observe(model, draws);
    expect(textsOf(observed)).toEqual(['One.\nTwo.', 'One.\nTwo.', 'One.\nTwo.']);
    // One of them was refused, once.
    expect(server.requests.length).toBe(4);
    expect(observed.remarks!.map(({ notes }) => notes)).toEqual(
      Array.from({ length: 3 }, () => [expect.stringMatching(/^seed is not sent: the endpoint answered 4/)]),
    );
  });

  it('a text that ends answers ends them here', async () => {
    const { model } = await openLoopback({ brain: unless(['stop'], refusal) });
    const observed = await observe(model, [ask('x', { stop: ['wo', '\n'] }), ask('x', { stop: ['Three'] })]);
    expect(textsOf(observed)).toEqual(['One.', 'One.\nTwo.']);
    expect(observed.generations.finish).toEqual(['stop', 'end']);
  });

  it('counts in streams are not asked for', async () => {
    const { model } = await openLoopback({ brain: unless(['stream_options'], refusal) }, { stream: true });
    expect(textsOf(await observe(model, [ask('x')]))).toEqual(['One.\nTwo.']);
  });

  it('all of them are left out together', async () => {
    const brain = unless(['stop', 'seed', 'stream_options'], refusal);
    const { model, server } = await openLoopback({ brain }, { stream: true });
    const rows = ['a', 'b'].map((text) => ask(text, { temperature: 1, stop: ['\n'] }));
    expect(textsOf(await observe(model, rows.slice(0, 1)))).toEqual(['One.']);
    const before = server.requests.length;
    expect(textsOf(await observe(model, rows.slice(1)))).toEqual(['One.']);
    expect(server.requests.length).toBe(before + 1);
  });

  it('what an answer cannot be had without is refused', async () => {
    const { model, server } = await openLoopback({ brain: unless(['top_p'], refusal) });
    const observed = await observe(model, [ask('x', { temperature: 1, topP: 0.5 })]);
    expect(textsOf(observed)[0]).toMatch(/^endpoint_refused: .*top_p|^endpoint_refused: .*not permitted/);
    expect(server.requests.length).toBe(1);
  });
});

it('a refusal of something else is that of the row, whatever words are in it', async () => {
  const brain = () => {
    throw new Refusal(400, { message: 'invalid: you asked to stop the seed' });
  };
  const fault = await faultOf(openLoopback({ brain }));
  expect(fault.message).toContain('you asked to stop the seed');
  const { model, server } = await openLoopback({
    brain: (request) => (JSON.stringify(request.body).includes('row') ? brain() : { text: 'x' }),
  });
  expect(textsOf(await observe(model, [ask('row', { temperature: 1, stop: ['a'] })]))[0]).toMatch(
    /stop the seed/,
  );
  // As it was, and without what was named.
  expect(server.requests.length).toBe(3);
  await observe(model, [ask('fine', { temperature: 1, stop: ['a'] })]);
  expect(server.requests.at(-1)!.body).toMatchObject({ seed: 0, stop: ['a'] });
});

it('the form of vectors is not asked for where it is refused', async () => {
  const { embedder } = await openVectors({
    vectors: ({ body }) => {
      if ('encoding_format' in body) throw new Refusal(400, { message: 'unknown field `encoding_format`' });
      return body.input!.map(() => [1, 2]);
    },
  });
  expect(await embedder.embed(['a', 'b'])).toEqual([Float32Array.of(1, 2), Float32Array.of(1, 2)]);
  expect(Object.keys(embedder.usage.notes!)).toEqual([expect.stringMatching(/^encoding_format is not sent/)]);
});
