/** Programs that use a model: they end when they are done, and nothing stays behind, however they end. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { plantedFiles } from '../e2e/planted.ts';
import { expectGone } from './gone.ts';

const API = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** Runs a script that prints the pid of its model; gives that pid and how the script ended. */
async function run(end: string, signal?: NodeJS.Signals) {
  const { model } = await plantedFiles();
  const code = `
    import { openModel } from ${JSON.stringify(API)};
    const model = await openModel(${JSON.stringify(model)});
    const text = 'The nurse said that '.repeat(40);
    process.stdout.write(model.pid + '\\n');
    ${end}`;
  const script = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  script.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (signal) script.kill(signal);
  });
  const exit = await new Promise((resolve) => script.once('close', (status, by) => resolve(by ?? status)));
  return { pid: Number(stdout), exit };
}

it('a script ends that closed its model', async () => {
  const { pid, exit } = await run('await model.tokenize(text); await model.close();');
  expect(exit).toBe(0);
  await expectGone(pid);
});

it('a script ends that forgot to', async () => {
  const { pid, exit } = await run('await model.tokenize(text);');
  expect(exit).toBe(0);
  await expectGone(pid);
});

it('a script that is killed at work takes its process with it', async () => {
  const work = `
    const requests = Array.from({ length: 5000 }, () => ({ kind: 'probe', text }));
    await model.observeWindow(requests, {});`;
  const { pid, exit } = await run(work, 'SIGKILL');
  expect(exit).toBe('SIGKILL');
  await expectGone(pid);
});
