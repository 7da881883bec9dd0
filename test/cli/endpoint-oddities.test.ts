/** Every command that asks an endpoint, against a server that does all at once what servers do otherwise. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  asked,
  byteByByte,
  byteLevel,
  choice,
  content,
  fields,
  finish,
  headers,
  message,
  refuse,
  when,
} from '../server/oddities.ts';
import { PNG } from '../server/png.ts';
import { type Brain, LoopbackServer, type Oddity, type SentRequest } from '../server/server.ts';
import { BBQ, MULTI } from '../suites/bbq/bbq-data.ts';
import { madeDocument } from '../suites/rules/made.ts';
import { PEOPLE, TEA } from '../suites/scale/tea.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const KEY = 'sk-live-0123456789-VERY-SECRET';
const env = { OPENAI_API_KEY: KEY };

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

const chat = ({ request }: { request: SentRequest }) => request.path.endsWith('/chat/completions');
const refusing = (text: string, status: number, error: object) =>
  when(asked(text), refuse(status, { error }));

/** What does not change an answer, together. */
const ODD: readonly Oddity[] = [
  when(
    chat,
    content((text) => [{ type: 'text', text }]),
  ),
  when(chat, message({ reasoning_content: 'hm' })),
  finish('eos'),
  fields({
    usage: { prompt_tokens: '3', completion_tokens: -1 },
    service_tier: 1,
    model: `tiny (${KEY})`,
    error: null,
  }),
  headers({ 'content-type': 'text/plain' }),
  refusing('"top_logprobs"', 429, { message: 'slow down' }),
  refusing('"system"', 500, { message: 'System role not supported' }),
  refusing('flagged', 403, { message: 'Your input was flagged' }),
  // The last one changes how it is written.
  byteByByte,
];

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function run(server: LoopbackServer, ...args: string[]) {
  const result = await runCli([...args, '--base-url', server.url], { cwd, env });
  for (const text of [
    result.stdout,
    result.stderr,
    ...filesIn(cwd).map((file) => readFileSync(file, 'utf8')),
  ]) {
    expect(text).not.toContain(KEY);
    expect(text).not.toMatch(/\[object Object\]/);
  }
  return result;
}

const manifestOf = (out: string) => JSON.parse(readFileSync(join(cwd, out, 'manifest.json'), 'utf8'));
const rowsOf = (out: string) =>
  readFileSync(join(cwd, out, 'rows.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const lines = (name: string, rows: readonly object[]) =>
  writeFileSync(join(cwd, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

describe.each([[[]], [['--stream']]])('an odd server is asked with %j by', (how: string[]) => {
  it('em: what is flagged fails its row, the rest is scored', async () => {
    await using server = await LoopbackServer.start({ brain: () => ({ text: 'It is 7.' }), oddities: ODD });
    const prompts = Array.from({ length: 20 }, (_, at) => ({
      prompt: `${at < 18 ? 'flagged ' : ''}${at}`,
      answer: '7',
    }));
    lines('d.jsonl', prompts);
    const { code, stdout, stderr } = await run(
      server,
      'run',
      'em',
      '--model',
      'openai:tiny',
      '--data',
      'd.jsonl',
      '--out',
      'o',
      ...how,
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/exact match +100\.0 %/);
    expect(manifestOf('o').counts).toMatchObject({ ok: 2, failed: 18 });
    expect(rowsOf('o')[0].error.message).toBe('the endpoint answered 403: Your input was flagged');
    expect(rowsOf('o')[19]).toMatchObject({
      reasoning: expect.stringContaining('hm'),
      answer_notes: expect.arrayContaining(['service_tier cannot be read: 1']),
    });
    expect(manifestOf('o').usage.notes).toMatchObject({ 'service_tier cannot be read: 1': 2 });
    expect(server.requests.length).toBe(20);
    // What em does not need is not asked about.
    expect(server.probes.length).toBe(1);
  });

  it('bbq, in texts, with the instruction in front of what the user says', async () => {
    await using server = await LoopbackServer.start({ brain: () => ({ text: 'A' }), oddities: ODD });
    lines('b.jsonl', [BBQ]);
    const args = [
      'run',
      'bbq',
      '--experiment',
      'llm',
      '--model',
      'openai:tiny',
      '--data',
      'b.jsonl',
      '--answer',
      'text',
    ];
    const { code, stderr } = await run(server, ...args, '--out', 'o', ...how);
    expect([code, stderr]).toEqual([0, '']);
    expect(server.requests.length).toBeGreaterThan(0);
    for (const { body } of server.requests) expect(body.messages!.map(({ role }) => role)).toEqual(['user']);
    const part = filesIn(join(cwd, 'o')).find(
      (file) => file.endsWith('manifest.json') && file.includes('negative'),
    )!;
    expect(JSON.parse(readFileSync(part, 'utf8')).engine.endpoint.capabilities).toMatchObject({
      systemRole: false,
      refused: {
        systemRole: expect.stringContaining('System role not supported'),
        topLogProbs: expect.stringContaining('not asked'),
      },
    });
  });

  it('bbq, with images', async () => {
    await using server = await LoopbackServer.start({ brain: () => ({ text: 'B' }), oddities: ODD });
    writeFileSync(join(cwd, 'multi.json'), JSON.stringify([MULTI]));
    mkdirSync(dirname(join(cwd, MULTI.image_path)), { recursive: true });
    writeFileSync(join(cwd, MULTI.image_path), PNG);
    const cell = [
      '--split',
      'visual_language',
      '--context',
      'ambiguous',
      '--polarity',
      'negative',
      '--answer',
      'text',
    ];
    const args = [
      'run',
      'bbq',
      '--experiment',
      'main',
      '--model',
      'openai:tiny',
      '--data',
      'multi.json',
      ...cell,
    ];
    const { code, stderr } = await run(server, ...args, '--image-root', cwd, '--out', 'o', ...how);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.stringify(server.requests[0]!.body)).toContain('image_url');
  });

  it('scale', async () => {
    await using server = await LoopbackServer.start({
      brain: () => ({ text: '{"calm_at_work": 1}' }),
      oddities: ODD,
    });
    mkdirSync(join(cwd, 'scales'));
    writeFileSync(join(cwd, 'scales/tea.yaml'), TEA);
    writeFileSync(join(cwd, 'people.csv'), PEOPLE);
    const args = ['run', 'scale', '--scale', 'tea', '--model', 'openai:tiny', '--participants', 'people.csv'];
    const { code, stderr } = await run(server, ...args, '--out', 'o', ...how);
    expect([code, stderr]).toEqual([0, '']);
    expect(manifestOf('o')).toMatchObject({
      counts: { failed: 0 },
      engine: { endpoint: { capabilities: { systemRole: false } } },
    });
    for (const { body } of server.requests) expect(body.messages!.map(({ role }) => role)).toEqual(['user']);
  });

  it('rules, in two stages by two models', async () => {
    const brain: Brain = ({ body }) => ({ text: body.messages!.length > 1 ? '(a)' : 'I have read.' });
    await using server = await LoopbackServer.start({ brain, oddities: ODD });
    writeFileSync(join(cwd, 'test.json'), JSON.stringify(madeDocument('test', 3)));
    const args = [
      'run',
      'rules',
      '--model',
      'openai:tiny',
      '--stage2-model',
      'openai:small',
      '--data',
      'test.json',
    ];
    const rest = ['--context', 'submission', '--phrase', 'cot', '--mode', 'prompt', '--resamples', '200'];
    const { code, stderr } = await run(server, ...args, ...rest, ...how);
    expect([code, stderr]).toEqual([0, '']);
    expect(new Set(server.requests.map(({ body }) => body.model))).toEqual(new Set(['tiny', 'small']));
  });
});

it.each([
  ['first', 0],
  ['last', 2],
])('rows.csv has what only the %s answer came with', async (_, at) => {
  const odd = (name: string, oddity: Oddity) => when(asked(name), oddity);
  await using server = await LoopbackServer.start({
    oddities: [odd(`"${at}"`, message({ reasoning_content: 'I think.' })), odd(`"${at}"`, finish('why'))],
  });
  lines(
    'd.jsonl',
    ['0', '1', '2'].map((prompt) => ({ prompt, answer: '7' })),
  );
  await run(server, 'run', 'em', '--model', 'openai:tiny', '--data', 'd.jsonl', '--out', 'o');
  const [head, ...rows] = parse(readFileSync(join(cwd, 'o', 'rows.csv'), 'utf8')) as string[][];
  const cells = rows.map((row) => ['answer_notes', 'reasoning'].map((name) => row[head!.indexOf(name)]));
  expect(cells.map(([notes]) => notes !== '')).toEqual([0, 1, 2].map((row) => row === at));
  expect(cells.map(([, thoughts]) => thoughts)).toEqual(
    [0, 1, 2].map((row) => (row === at ? 'I think.' : '')),
  );
});

describe('ctf-bounds of a server that spells tokens its own way', () => {
  const brain: Brain = () => ({
    text: ' she',
    top: [
      { token: ' she', logprob: Math.log(0.74) },
      { token: ' he', logprob: Math.log(0.1) },
      { token: ' they', logprob: Math.log(0.05) },
    ],
    outputTokens: 1,
  });
  const spelled = (name: (text: string) => string): Oddity =>
    choice((own) => {
      const logprobs = own.logprobs as { tokens: string[]; top_logprobs: Record<string, number>[] } | null;
      if (!logprobs?.top_logprobs) return own;
      const tops = logprobs.top_logprobs.map((top) =>
        Object.fromEntries(Object.entries(top).map(([text, value]) => [name(text), value])),
      );
      return { ...own, logprobs: { ...logprobs, tokens: logprobs.tokens.map(name), top_logprobs: tops } };
    });
  const args = [
    'run',
    'ctf-bounds',
    '--model',
    'openai:tiny',
    '--api',
    'completions',
    '--data',
    'c.jsonl',
    '--json',
  ];
  const row = { id: 'a', x: 'The nurse said that she was late.', x_swap: 'The nurse said that he was late.' };

  it.each([
    ['as texts', String],
    ['as GPT-2 does', byteLevel],
    ['as SentencePiece does', (text: string) => text.replaceAll(' ', '▁')],
  ])('%s holds the truth', async (_, name) => {
    await using server = await LoopbackServer.start({ brain, oddities: [spelled(name)] });
    lines('c.jsonl', [row]);
    const { code, stderr } = await run(server, ...args, '--out', 'o');
    expect([code, stderr]).toEqual([0, '']);
    const { massFemale } = rowsOf('o')[0];
    expect(massFemale.lower).toBeCloseTo(0.74, 4);
    expect(massFemale.upper).toBeGreaterThan(0.74);
    expect(manifestOf('o').engine.endpoint.capabilities.topLogProbs).toBe(3);
  });

  it('in a way that nobody can read is refused, and no bound is written', async () => {
    await using server = await LoopbackServer.start({
      brain,
      oddities: [spelled((text) => `~${text.trim()}~`)],
    });
    lines('c.jsonl', [row]);
    const { code, stderr } = await run(server, ...args, '--out', 'o');
    expect(code).toBe(2);
    expect(stderr).toContain('the list cannot be tied to the text: what was written is named');
    expect(server.requests.length).toBe(0);
  });
});
