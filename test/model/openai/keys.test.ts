/** The key, wherever a server repeats it and in whatever form, reaches neither disk nor screen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSecret, Secret } from '../../../src/model/openai/secret.ts';
import { byteByByte, choice, content, fields, refuse, when } from '../../server/oddities.ts';
import type { Oddity } from '../../server/server.ts';
import { temporaryFolder } from '../../temporary.ts';
import { ask, KEY, observe, openLoopback, openVectors, textsOf, World } from './world.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (own) => write(own.codePointAt(0)!)).join('');
const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');

const FORMS: readonly (readonly [name: string, write: (key: string) => string])[] = [
  ['as it is', (key) => key],
  ['behind its scheme', (key) => `Bearer ${key}`],
  ['in upper case', (key) => key.toUpperCase()],
  ['as JSON', (key) => JSON.stringify({ authorization: key })],
  ['as JSON in JSON', (key) => JSON.stringify(JSON.stringify(key))],
  ['as \\u escapes', (key) => each(key, (code) => `\\u${hex(code, 4)}`)],
  ['as escapes of escapes', (key) => each(key, (code) => `\\\\u${hex(code, 4)}`)],
  ['as \\x escapes', (key) => each(key, (code) => `\\x${hex(code, 2)}`)],
  ['partly escaped', (key) => `\\u${hex(key.codePointAt(0)!, 4)}${key.slice(1)}`],
  ['for an address', (key) => encodeURIComponent(key)],
  ['all of it for an address', (key) => each(key, (code) => `%${hex(code, 2)}`)],
  ['for an address, twice', (key) => each(key, (code) => `%25${hex(code, 2)}`)],
  ['as entities', (key) => each(key, (code) => `&#${code};`)],
  ['as entities in hexadecimal', (key) => each(key, (code) => `&#x${hex(code, 2)};`)],
  ['in Base64', base64],
  ['in Base64 behind its scheme', (key) => base64(`Bearer ${key}`)],
  ['in Base64 behind a user', (key) => base64(`user:${key}`)],
  ['in Base64 for an address', (key) => Buffer.from(`a${key}`).toString('base64url')],
  ['as entities without their ends', (key) => `${each(key, (code) => `&#${code}`)} `],
  ['in octal', (key) => each(key, (code) => `\\${code.toString(8).padStart(3, '0')}`)],
  ['as long escapes', (key) => each(key, (code) => `\\U${hex(code, 8)}`)],
  ['as old addresses have it', (key) => each(key, (code) => `%u${hex(code, 4)}`)],
  ['as mail has it', (key) => each(key, (code) => `=${hex(code, 2).toUpperCase()}`)],
  ['over two lines', (key) => `${key.slice(0, 7)}\n  ${key.slice(7)}`],
  ['over two lines as JSON', (key) => JSON.stringify(`${key.slice(0, 7)}\n${key.slice(7)}`)],
  ['in Base64 of short lines', (key) => base64(key).replace(/.{7}/g, '$&\r\n')],
  ['in hexadecimal', (key) => Buffer.from(key).toString('hex')],
];

/** What would give the key away: itself, or enough of an encoding of it. */
function traces(key: string): string[] {
  const start = (text: string) => text.slice(4, 20);
  return [key.toLowerCase(), ...['', 'a', 'ab'].map((before) => start(base64(before + key)).toLowerCase())];
}

describe.each(FORMS)('a key %s', (_, write) => {
  it.each([KEY, 'k3y/with+odd=chars&"<>\'%\\9', 'aB3_.-~xY9Zq'])('%s is hidden', (key) => {
    const hidden = new Secret(key).hide(`before ${write(key)} after`);
    expect(hidden).toMatch(/^before .*\[key\].* after$/s);
    for (const trace of traces(key)) expect(hidden.toLowerCase()).not.toContain(trace);
  });

  it('is in nothing that comes of an answer', async () => {
    const form = write(KEY);
    const places: readonly Oddity[] = [
      content((text) => (text === 'x' ? `I was told ${form}.` : text)),
      fields({ model: `m-${form}`, system_fingerprint: form, service_tier: form, [form]: form }),
      choice((own) => (own.finish_reason === null ? own : { ...own, finish_reason: `end ${form}` })),
    ];
    for (const stream of [false, true]) {
      const answers = join(temporaryFolder(), 'answers.jsonl');
      const { model } = await openLoopback(
        { brain: () => ({ text: 'x' }), oddities: places },
        { stream, answers },
      );
      const observed = await observe(model, [ask('a'), ask('b')]);
      const all = JSON.stringify([textsOf(observed), observed.remarks, model.usage, model.describe()]);
      for (const text of [all, readFileSync(answers, 'utf8')]) {
        for (const trace of traces(KEY)) expect(text.toLowerCase()).not.toContain(trace);
        expect(text).toContain('the key stood in what the endpoint sent');
      }
      expect(textsOf(observed)[0]).toMatch(/^I was told .*\[key\]/);
    }
  });

  it('is in no fault', async () => {
    const form = write(KEY);
    for (const body of [{ error: { message: `no: ${form}` } }, `<p>no: ${form.replaceAll('<', '')}</p>`]) {
      const opening = await openLoopback({ oddities: [refuse(401, body)] }).catch(
        (thrown: Error) => thrown.message,
      );
      expect(opening).toContain('[key]');
      for (const trace of traces(KEY)) expect(String(opening).toLowerCase()).not.toContain(trace);
    }
  });
});

describe('a key', () => {
  it('that is cut into pieces of a stream, parts or tokens is hidden', async () => {
    const cut = [KEY.slice(0, 9), KEY.slice(9, 20), KEY.slice(20)];
    const { model: streamed } = await openLoopback(
      { brain: () => ({ text: `It is ${KEY}.` }), oddities: [byteByByte] },
      { stream: true },
    );
    expect(textsOf(await observe(streamed, [ask('a')]))).toEqual(['It is [key].']);
    const parts = content(() => cut.map((text) => ({ type: 'text', text })));
    const { model: inParts } = await openLoopback({ oddities: [parts] });
    expect(textsOf(await observe(inParts, [ask('a')]))).toEqual(['[key]']);
    const answers = join(temporaryFolder(), 'answers.jsonl');
    const tokens = choice((own) => ({
      ...own,
      logprobs: { content: cut.map((token) => ({ token, logprob: -1, top_logprobs: [] })) },
    }));
    const { model: inTokens } = await openLoopback({ oddities: [tokens] }, { answers });
    await observe(inTokens, [ask('a')]);
    expect(readFileSync(answers, 'utf8')).not.toContain(cut[1]);
  });

  it.each([
    ['the bytes of one token', () => [{ token: 'x', bytes: [...Buffer.from(`a${KEY}`)], logprob: -1 }]],
    [
      'the bytes of some',
      () => [...KEY].map((own) => ({ token: '?', bytes: [...Buffer.from(own)], logprob: -1 })),
    ],
    [
      'the likely tokens',
      () => [{ token: 'x', logprob: -1, top_logprobs: [...KEY].map((token) => ({ token, logprob: -2 })) }],
    ],
    ['one token', () => [{ token: KEY, bytes: [...Buffer.from(KEY)], logprob: -1 }]],
  ])('in %s reaches no journal', async (_, tokens) => {
    const answers = join(temporaryFolder(), 'answers.jsonl');
    const listed = choice((own) => ({
      ...own,
      logprobs: { content: tokens().map((own) => ({ top_logprobs: [], ...own })) },
    }));
    const { model } = await openLoopback({ oddities: [listed] }, { answers });
    await observe(model, [ask('a')]);
    const text = readFileSync(answers, 'utf8');
    expect(text).toContain('the key stood in what the endpoint sent');
    expect(text).toContain('"written":[]');
    for (const trace of [KEY, String([...Buffer.from(KEY)]), Buffer.from(KEY).toString('hex')])
      expect(text).not.toContain(trace);
  });

  it.each([
    ['a side field', fields({ service_tier: { a: `${'x'.repeat(60)}${KEY}` } })],
    ['something else than text', content(() => ({ a: `${'x'.repeat(970)}${KEY}` }))],
    ['something else than an answer', () => ({ status: 200, whole: { a: `${'x'.repeat(180)}${KEY}` } })],
    ['malformed JSON', () => ({ status: 200, raw: [`{"a": "${'x'.repeat(100)}${KEY}`] })],
    ['a fault', refuse(400, { error: { message: `${'x'.repeat(350)}${KEY}` } })],
    [
      'what a gateway puts beside a fault',
      refuse(400, { error: { message: 'no', metadata: { a: `${'x'.repeat(980)}${KEY}` } } }),
    ],
  ] as readonly (readonly [string, Oddity])[])(
    'that is cut off in %s is hidden to its first letter',
    async (_, oddity) => {
      const { model } = await openLoopback(
        { oddities: [when(({ probe }) => !probe, oddity)] },
        { attempts: 1 },
      );
      const observed = await observe(model, [ask('a')]);
      const all = JSON.stringify([textsOf(observed), observed.remarks, model.usage]);
      expect(all).toContain('xx');
      expect(all).not.toContain(KEY.slice(0, 7));
    },
  );

  it('in what comes with vectors is hidden', async () => {
    const { embedder } = await openVectors({
      vectors: ({ body }) => body.input!.map(() => [1, 2]),
      oddities: [fields({ model: `x ${KEY}` })],
    });
    await embedder.embed(['a']);
    expect(embedder.usage.served.models).toEqual(['x [key]']);
  });

  it('in an address that is redirected to is hidden', async () => {
    const oddity = refuse(307, '', { location: `https://elsewhere.example/${KEY}` });
    const said = await openLoopback({ oddities: [oddity] }).catch((thrown: Error) => thrown.message);
    expect(said).toContain('redirects to https://elsewhere.example');
    expect(said).not.toContain(KEY);
  });

  it.each(['x', 'none', 'EMPTY', 'test', 'lm-studio', 'anything', 'secret'])(
    'that is no secret ("%s") leaves texts as they are, but for its own header',
    (key) => {
      const secret = new Secret(key);
      const text = 'x none of EMPTY, a test of lm-studio; anything secret. (A) dGVzdA==';
      expect(secret.hide(text)).toBe(text);
      expect(secret.hide(`Authorization: Bearer ${key}, ok`)).toBe('Authorization: Bearer [key], ok');
      expect(secret.hide(`Bearer ${key}x`)).toBe(`Bearer ${key}x`);
    },
  );

  it('that the environment gives to the client for other headers is hidden too', () => {
    const env = { OPENAI_CUSTOM_HEADERS: 'X-Team: red\nX-Proxy: Bearer 0123456789abcdefXYZ\nbroken' };
    const secret = readSecret(env, 'http://127.0.0.1/v1');
    expect(secret.hide('red 0123456789abcdefXYZ')).toBe('red [key]');
  });

  it('costs a text no more than its length', () => {
    const secret = new Secret(KEY);
    for (const part of ['sk-te', '\\', '%25', '&amp;', '&#0', KEY.slice(0, -1)]) {
      const text = part.repeat(Math.ceil(300_000 / part.length));
      expect(secret.hide(text)).toBe(text);
    }
  });

  it('is sent to nobody but the endpoint', async () => {
    const { server } = await openLoopback(
      {},
      {},
      new World({ OPENAI_API_KEY: KEY, OPENAI_ADMIN_KEY: 'sk-admin' }),
    );
    expect(server.probes.map(({ authorization }) => authorization)).toEqual(
      server.probes.map(() => `Bearer ${KEY}`),
    );
  });
});
