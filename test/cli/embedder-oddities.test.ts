/** `retrieval build --embedder openai:MODEL` against servers whose vectors are not as they should be. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { data, fields, instead, when } from '../server/oddities.ts';
import { LoopbackServer, type Oddity, type SentRequest } from '../server/server.ts';
import { madeDocument } from '../suites/rules/made.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const KEY = 'sk-live-0123456789-VERY-SECRET';
const MATRIX = join('rag', 'test_to_test_target_comment_similarity.f16');

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
  writeFileSync(join(cwd, 'test.json'), JSON.stringify(madeDocument('test', 3)));
});

/** A direction of its own for each text. */
const vectorOf = (text: string) => [
  text.length,
  [...text].reduce((sum, own) => sum + own.codePointAt(0)!, 0),
  1,
];
const vectors = ({ body }: SentRequest) => body.input!.map(vectorOf);

interface Item {
  readonly index: number;
  readonly embedding: readonly number[];
}

const item = (change: (own: Item) => object): Oddity =>
  data((value) => ({ ...value, data: (value.data as Item[]).map(change) }));
const vector = (change: (own: readonly number[]) => unknown) =>
  item((own) => ({ ...own, embedding: change(own.embedding) }));
const first = (oddity: Oddity) => when(({ number }) => number === 0, oddity);

/** The vector of one text is always shorter than the others. */
const shorter = (): Oddity => {
  let text: string | undefined;
  return (draft, about) => {
    const input = about.request.body.input!;
    text ??= input[0]!;
    const cut = item((own) =>
      input[own.index] === text ? { ...own, embedding: own.embedding.slice(1) } : own,
    );
    return cut(draft, about);
  };
};

async function build(attempts: number, ...oddities: Oddity[]) {
  await using server = await LoopbackServer.start({ vectors, oddities });
  const splits = [
    '--query-split',
    'test',
    '--candidate-split',
    'test',
    '--data',
    'test.json',
    '--out',
    'rag',
  ];
  const how = ['--embedder', 'openai:small', '--base-url', server.url, '--attempts', String(attempts)];
  const result = await runCli(['retrieval', 'build', ...splits, ...how, '--concurrency', '1'], {
    cwd,
    env: { OPENAI_API_KEY: KEY },
  });
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((own) => own.isFile());
  const all = files.map((own) => readFileSync(join(own.parentPath, own.name), 'latin1'));
  for (const text of [result.stdout, result.stderr, ...all]) expect(text).not.toContain(KEY);
  return { ...result, requests: server.requests.length };
}

const packed = (own: readonly number[]) => Buffer.from(Float32Array.from(own).buffer).toString('base64');

it('what stands beside the vectors, how they are written, and a fault before them change nothing', async () => {
  expect(await build(1)).toMatchObject({ code: 0, stderr: '' });
  const plain = readFileSync(join(cwd, MATRIX));
  cwd = temporaryFolder();
  writeFileSync(join(cwd, 'test.json'), JSON.stringify(madeDocument('test', 3)));
  const odd = await build(
    2,
    first(instead({ error: { message: 'busy' } })),
    fields({ usage: { prompt_tokens: 'many', total_tokens: -1 }, model: KEY, object: 7 }),
    vector(packed),
  );
  expect(odd).toMatchObject({ code: 0, stderr: '' });
  expect(odd.stdout).toContain('tokens: not reported in');
  expect(readFileSync(join(cwd, MATRIX))).toEqual(plain);
});

it.each<[string, Oddity, RegExp]>([
  ['of two lengths', shorter(), /entries/],
  ['with null for NaN', vector(([, ...rest]) => [null, ...rest]), /null is no finite number/],
  ['with NaN in Base64', vector(([, ...rest]) => packed([Number.NaN, ...rest])), /not finite/],
  ['that are 0', vector((own) => own.map(() => 0)), /is 0/],
  ['too few', data((value) => ({ ...value, data: (value.data as Item[]).slice(1) })), /\d+ for \d+ texts/],
  [
    'that are an error under 200',
    instead({ error: { message: `no vectors for ${KEY}`, code: 'overloaded' } }),
    /no vectors for \[key\]/,
  ],
])('vectors %s end the build with the reason', async (_, oddity, said) => {
  const { code, stderr } = await build(1, oddity);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(said);
  expect(existsSync(join(cwd, MATRIX))).toBe(false);
});
