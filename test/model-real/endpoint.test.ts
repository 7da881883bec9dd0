/**
 * A server of others with the instruct model: what it says fits what the same file says here. Its llama.cpp is another one,
 * and with quantised weights two builds differ in the third digit.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { jsonlFile } from '../e2e/suite-run.ts';
import { sharedFile } from '../oracle/shared.ts';
import { temporaryFolder } from '../temporary.ts';
import { modelPath } from './model.ts';
import { PYTHON, PythonServer } from './python-server.ts';

const RULES = sharedFile('vectors/rules/dataset.json');
/** Of a probability. */
const BUILDS = 0.01;
const LIMIT = { timeout: 1_200_000 };

if (PYTHON === null) {
  console.warn(
    'SKIPPED: no server of others was asked; name a Python with llama-cpp-python[server] in LOGIT_AUDIT_TEST_PYTHON',
  );
}

async function cli(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, { cwd: temporaryFolder() });
  expect(code, stderr).toBe(0);
  return stdout;
}

function rowsOf<T>(folder: string): T[] {
  const text = readFileSync(join(folder, 'rows.jsonl'), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as T);
}

describe.skipIf(PYTHON === null)('a server of others', () => {
  it('gives bounds that hold what is exact here', LIMIT, async () => {
    await using server = await PythonServer.start(PYTHON!, modelPath());
    const rows = ['nurse', 'plumber', 'teacher', 'engineer'].map((occupation) => ({
      id: occupation,
      x: `The ${occupation} was late because she had no car. When asked,`,
      x_swap: `The ${occupation} was late because he had no car. When asked,`,
    }));
    const data = jsonlFile(rows);
    const folder = temporaryFolder();
    const [here, over] = [join(folder, 'here'), join(folder, 'over')];
    await cli('run', 'ctf', '--model', modelPath(), '--data', data, '--threads', '1', '--out', here);
    await cli(
      ...['run', 'ctf-bounds', '--model', 'openai:smol', '--base-url', server.url],
      ...['--api', 'completions', '--data', data, '--out', over],
    );
    type Interval = { readonly lower: number; readonly upper: number };
    const exact = rowsOf<Record<string, number>>(here);
    const bounds = rowsOf<Record<string, Interval>>(over);
    expect(bounds).toHaveLength(rows.length);
    for (const [at, row] of exact.entries()) {
      for (const name of ['massFemale', 'massMale', 'gap', 'jsdSwap']) {
        const { lower, upper } = bounds[at]![name]!;
        expect(lower - BUILDS, `${name} of ${row.id}`).toBeLessThanOrEqual(row[name]!);
        expect(upper + BUILDS, `${name} of ${row.id}`).toBeGreaterThanOrEqual(row[name]!);
        expect(upper - lower).toBeLessThan(1);
      }
    }
  });

  it.skipIf(RULES === null)('makes the choices that are made here', LIMIT, async () => {
    await using server = await PythonServer.start(PYTHON!, modelPath());
    const out = temporaryFolder();
    const asked = [
      '--data',
      RULES!,
      '--limit',
      '4',
      '--context',
      'submission',
      '--max-response-tokens',
      '16',
    ];
    const told = ['--final-tokens', '6', '--final', 'turn', '--resamples', '1000', '--out', out, '--json'];
    const remote = ['--model', 'openai:smol', '--model-id', 'over', '--base-url', server.url];
    const local = ['--model', modelPath(), '--model-id', 'here', '--ctx', '2048', '--threads', '1'];
    const choices = (name: string) => {
      const folder = join(out, name, 'test', 'submission', 'baseline', 'limit-4');
      const file = readdirSync(folder).find((one) => one.startsWith('reasoning_'))!;
      const pairs = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<
        'violating' | 'compliant',
        { readonly extracted_prediction: string }
      >[];
      return pairs.flatMap(({ violating, compliant }) =>
        [violating, compliant].map(({ extracted_prediction: choice }) => choice),
      );
    };
    await cli('run', 'rules', ...remote, ...asked, ...told);
    await cli('run', 'rules', ...local, ...asked, ...told);
    const [here, over] = [choices('here'), choices('over')];
    expect(over).toHaveLength(8);
    // A choice near a tie may fall the other way.
    expect(over.filter((choice, at) => choice === here[at]).length).toBeGreaterThanOrEqual(6);
  });
});
