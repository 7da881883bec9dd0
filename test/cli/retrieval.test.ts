/** `logit-audit retrieval` as it is installed, with the planted model as its embedder. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sidecar } from '../../src/suites/rules/retrieval/store/index.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { LoopbackServer, Refusal, type SentRequest } from '../server/server.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const MATRIX = join('rag', 'test_to_train_target_comment_similarity.f16');
const SUMMARY = join('rag', 'test_to_train_target_comment_similarity.summary.json');

let cwd: string;
let sentences: readonly string[];

beforeEach(async () => {
  cwd = temporaryFolder();
  const { planted, rows } = await plantedFiles();
  sentences = rows.slice(0, 12).map(({ x }) => x);
  writeFileSync(join(cwd, 'planted.gguf'), planted.bytes);
  writeFileSync(join(cwd, 'test.json'), document('test', sentences.slice(0, 4)));
  writeFileSync(join(cwd, 'train.json'), document('train', [...sentences.slice(2, 11), '[NEEDS_HYDRATION]']));
});

/** Two comments a pair. */
function document(split: string, comments: readonly string[]): string {
  const pairs = Array.from({ length: comments.length / 2 }, (_, i) => ({
    mod_comment_id: `${split}${i}`,
    violating_thread: [{ id: `v${i}`, body: comments[2 * i] }],
    compliant_thread: [{ id: `c${i}`, body: comments[2 * i + 1] }],
    metadata: { rule: 'Be kind', rule_cluster_id: 1, rule_cluster_label: 'kind', submission_id: 's' },
  }));
  const subreddit = { subreddit: 'kettles', rules: [{ short_name_clean: 'Be kind' }], thread_pairs: pairs };
  return JSON.stringify({ metadata: { split }, subreddits: [{ ...subreddit, submissions: {} }] });
}

const retrieval = (...args: string[]) => runCli(['retrieval', ...args], { cwd });
const build = (...more: string[]) => {
  const splits = ['--query-split', 'test', '--candidate-split', 'train'];
  const files = ['--data', 'test.json', 'train.json', '--embedder', 'planted.gguf', '--out', 'rag'];
  return retrieval('build', ...splits, ...files, '--threads', '1', ...more);
};
const sidecar = () => JSON.parse(readFileSync(join(cwd, SUMMARY), 'utf8')) as Sidecar;

describe('retrieval', () => {
  it('builds an artifact, shows it, and refuses it when a comment has changed', async () => {
    const built = await build('--json');
    expect(built).toMatchObject({ code: 0 });
    expect(built.stderr).toBe(
      'logit-audit: warning: 1 comments of train are not hydrated and were left out\n',
    );
    expect(JSON.parse(built.stdout)).toMatchObject({
      path: MATRIX,
      shape: [4, 9],
      queries: { split: 'test', threads: 4 },
      candidates: { split: 'train', threads: 9, notHydrated: 1 },
      embedder: { kind: 'gguf', name: 'planted.gguf', settings: { mode: 'fast', kvType: 'f32' } },
      data: [{ file: 'test.json' }, { file: 'train.json' }],
    });
    // The same comment on both sides: queries 2 and 3 are candidates 0 and 1.
    const halves = readFileSync(join(cwd, MATRIX));
    expect([halves.readUInt16LE(2 * 18), halves.readUInt16LE(2 * 28)]).toEqual([0x3c00, 0x3c00]);
    // No folder of this machine is told.
    expect(readFileSync(join(cwd, SUMMARY), 'utf8')).not.toContain(cwd);

    const shown = await retrieval('info', MATRIX, '--data', 'test.json', 'train.json');
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toContain('9 of train, 1 not hydrated and left out');
    expect(shown.stdout).toContain(sidecar().sha256);

    writeFileSync(join(cwd, 'test.json'), document('test', sentences.slice(1, 5)));
    const refused = await retrieval('info', MATRIX, '--data', 'test.json', 'train.json', '--json');
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'retrieval_stale',
      data: { file: MATRIX },
    });
    expect((await retrieval('info', MATRIX)).code).toBe(0);
  });

  it('puts an instruction in front of one side, or of both', async () => {
    await build('--instruction', 'the nurse', '--instruct', 'queries');
    const prefix = 'Instruct: the nurse\nQuery: ';
    const one = sidecar();
    expect([one.queries.prefix, one.candidates.prefix]).toEqual([prefix, '']);
    await build('--instruction', 'the nurse', '--instruct', 'both');
    const both = sidecar();
    expect([both.queries.prefix, both.candidates.prefix]).toEqual([prefix, prefix]);
    expect(both.sha256).not.toBe(one.sha256);
  });

  it('keeps vectors by engine: another mode makes its own', async () => {
    await build();
    await build('--mode', 'exact');
    const stores = readdirSync(join(cwd, 'rag')).filter((name) => name.endsWith('.f32'));
    expect(stores).toHaveLength(2);
  });

  it.each([
    ['a split that no file holds', ['--query-split', 'val'], 'holds a pair of the split val'],
    ['an embedder that is not there', ['--embedder', 'none.gguf'], 'none.gguf'],
    [
      'an endpoint without a key',
      ['--embedder', 'openai:embedding', '--base-url', 'https://nowhere.invalid/v1'],
      'set the environment variable OPENAI_API_KEY',
    ],
    ['comments longer than the context', ['--ctx', '2'], 'comments cannot be embedded'],
  ])('refuses %s', async (_, changes, said) => {
    const refused = await build(...changes);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(said);
    expect(existsSync(join(cwd, MATRIX))).toBe(false);
  });
});

describe('retrieval build with an embedder behind an endpoint', () => {
  /** A vector that is another for every text. */
  const vectors = ({ body }: SentRequest) =>
    body.input!.map((text) => [...createHash('sha256').update(text).digest()].map((byte) => byte - 127.5));
  const remote = (server: LoopbackServer, ...more: string[]) =>
    ['--embedder', 'openai:small', '--base-url', server.url, '--texts-per-request', '2', ...more] as const;
  const texts = (server: LoopbackServer) => server.requests.flatMap(({ body }) => body.input!);

  it('goes on after kill -9: no comment is paid twice that had an answer', async () => {
    await using server = await LoopbackServer.start({
      vectors,
      faultAt: (at) => (at === 3 ? 'hang' : null),
    });
    const splits = [
      '--query-split',
      'test',
      '--candidate-split',
      'train',
      '--data',
      'test.json',
      'train.json',
    ];
    const args = ['retrieval', 'build', ...splits, '--out', 'rag', ...remote(server, '--concurrency', '1')];
    const onStart = (kill: () => void) => {
      server.onHang = kill;
    };
    expect((await runCli(args, { cwd, signal: 'SIGKILL', onStart })).code).toBe(null);
    expect(existsSync(join(cwd, MATRIX))).toBe(false);
    writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ small: { input: 1, output: 0 } }));
    const { code, stdout } = await build(...remote(server, '--prices', 'prices.json'));
    expect(code).toBe(0);
    // 11 different comments: six had vectors, and two were on their way.
    expect(texts(server).length).toBe(11 + 2);
    expect(new Set(texts(server)).size).toBe(11);
    expect(stdout).toMatch(/3 answers from the endpoint; tokens: \d+ in, 0 out; cost: 0\.000\d+/);
    expect(sidecar()).toMatchObject({
      shape: [4, 9],
      embedder: {
        kind: 'openai',
        name: 'small',
        sha256: null,
        settings: { baseUrl: server.url, dimensions: null },
        dimension: 32,
      },
    });
    const halves = readFileSync(join(cwd, MATRIX));
    expect([halves.readUInt16LE(2 * 18), halves.readUInt16LE(2 * 28)]).toEqual([0x3c00, 0x3c00]);
    // In whatever order vectors come, the matrix is the same.
    await build(...remote(server, '--out', 'again'));
    expect(readFileSync(join(cwd, MATRIX.replace('rag', 'again')))).toEqual(halves);
    // Nothing is asked again for another split of the same comments.
    const before = server.requests.length;
    const again = await build(...remote(server, '--json'));
    expect([server.requests.length, JSON.parse(again.stdout).usage.asked.requests]).toEqual([before, 0]);
  });

  it('leaves out what the endpoint says is too long, and keeps the key to itself', async () => {
    await using server = await LoopbackServer.start({
      vectors(request) {
        if (request.body.input!.includes(sentences[3]!)) {
          const message = `maximum context length is 5 tokens, says ${request.authorization}`;
          throw new Refusal(400, { message });
        }
        return vectors(request);
      },
    });
    const env = { OPENAI_API_KEY: 'sk-VERY-SECRET' };
    const told = await build(...remote(server));
    expect([told.code, told.stderr]).toEqual([
      2,
      expect.stringContaining('1 of 11 comments cannot be embedded'),
    ]);
    const left = await runCli(
      [
        ...['retrieval', 'build', '--query-split', 'test', '--candidate-split', 'train', '--out', 'rag'],
        ...['--data', 'test.json', 'train.json', ...remote(server, '--leave-out-too-long')],
      ],
      { cwd, env },
    );
    expect(left.code).toBe(0);
    expect(left.stderr).toContain('1 comments of test are too long and were left out');
    expect(sidecar()).toMatchObject({ shape: [3, 8] });
    for (const name of readdirSync(join(cwd, 'rag'))) {
      expect(readFileSync(join(cwd, 'rag', name), 'latin1')).not.toContain('SECRET');
    }
  });
});
