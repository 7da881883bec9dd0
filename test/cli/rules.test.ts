/** `run rules` and `score rules` from the shell, with a real model. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const MODEL = sharedFile('models/stories260K.gguf');
const DATA = new URL('../suites/rules/small.json', import.meta.url).pathname;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const cli = (...args: string[]) => runCli(args, { cwd: folder });
const run = (...args: string[]) =>
  cli(
    ...['run', 'rules', '--model', MODEL ?? 'none.gguf', '--data', DATA, '--split', 'mini', '--threads', '1'],
    ...['--max-response-tokens', '8', '--resamples', '200', ...args],
  );

describe.skipIf(MODEL === null)('run rules', () => {
  const place = 'output/eval/stories260K/mini/submission/cot_prefill';

  it('writes results, keeps them, and scores them again without a model', async () => {
    const asked = ['--context', 'submission', '--phrase', 'cot'];
    const { code, stdout, stderr } = await run(...asked);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('3 rows: 2 measured, 1 skipped, 0 failed');
    expect(stdout).toMatch(/all pairs +2 /);
    const names = readdirSync(join(folder, place)).sort();
    expect(names.map((name) => name.replace(/\d{8}_\d{6}/, 'TS'))).toEqual([
      'evaluation_TS.log',
      'metrics_TS.csv',
      'performance_TS.json',
      'reasoning_TS.json',
      'run_TS',
    ]);
    const kept = await run(...asked);
    expect([kept.code, kept.stdout]).toEqual([
      0,
      expect.stringMatching(/^kept output.*--override replaces it\n$/),
    ]);
    const reasoning = join(place, names[3]!);
    const scores = ['score', 'rules', '--results', reasoning, '--resamples', '200'];
    const again = await cli(...scores, '--parser', 'anchored', '--json', '--out', 'scores');
    expect(again.code).toBe(0);
    const performance = JSON.parse(readFileSync(join(folder, place, names[2]!), 'utf8'));
    expect(JSON.parse(again.stdout).runs[0].metrics).toEqual(performance.metrics);
    expect(existsSync(join(folder, 'scores', 'metrics.csv'))).toBe(true);
    const twice = await cli(...scores, '--out', 'scores');
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('is there already')]);
    const input = JSON.parse(readFileSync(join(folder, reasoning), 'utf8'))[0].violating.input_prompt;
    expect(input).toContain("(c) Be kind\n\nLet's think step by step");
  });

  it('makes the same choices again, and takes phrases and flags of a folder of tables', async () => {
    writeFileSync(join(folder, 'phrases.yaml'), 'phrases:\n  mine: I shall be brief\n');
    const asked = ['--tables', '.', '--phrase', 'mine', '--json'];
    const first = JSON.parse((await run(...asked, '--out', 'a')).stdout);
    const second = JSON.parse((await run(...asked, '--out', 'b', '--engine-mode', 'exact')).stdout);
    const texts = (file: string) =>
      JSON.parse(readFileSync(join(folder, file), 'utf8')).map(
        (pair: { violating: { reasoning_response: string; clean_answer_response: string } }) => [
          pair.violating.reasoning_response,
          pair.violating.clean_answer_response,
        ],
      );
    expect(texts(first.reasoning)).toEqual(texts(second.reasoning));
    expect(first.reasoning).toContain('mine_prefill');
  });

  it('tells faults before a model is loaded', async () => {
    const bad = await run('--context', 'media');
    expect([bad.code, bad.stderr]).toEqual([
      2,
      'logit-audit: the context "media" has media without submission; give submission-media\n',
    ]);
    const blind = await run('--context', 'submission-media');
    expect([blind.code, blind.stderr]).toEqual([2, expect.stringContaining('cannot see images')]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('score rules', () => {
  it('names a pair that cannot be scored', async () => {
    const pair = {
      mod_comment_id: 'x',
      violating: { correct_answer: '(a)' },
      compliant: { correct_answer: '(a)' },
      metadata: {},
    };
    writeFileSync(join(folder, 'r.json'), JSON.stringify([pair]));
    const kept = await cli('score', 'rules', '--results', 'r.json');
    expect([kept.code, kept.stderr]).toEqual([
      2,
      expect.stringContaining('r.json: pair 1 (x): violating.extracted_prediction is missing'),
    ]);
    const anchored = await cli('score', 'rules', '--results', 'r.json', '--parser', 'anchored');
    expect(anchored.stderr).toContain('answer_options is missing');
  });
});
