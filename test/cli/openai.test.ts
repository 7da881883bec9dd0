/** `--model openai:MODEL` as a user meets it: the real command against a real server on loopback. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { PNG } from '../server/png.ts';
import { LoopbackServer, parrot, Refusal } from '../server/server.ts';
import { MULTI } from '../suites/bbq/bbq-data.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const KEY = 'sk-live-0123456789-VERY-SECRET';
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  const rows = Array.from({ length: 12 }, (_, at) => 'x'.repeat(at + 1)).map((prompt) => ({
    prompt,
    answer: String(prompt.length + 2),
  }));
  writeFileSync(join(folder, 'd.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
});

const em = (server: LoopbackServer, ...more: string[]) => [
  ...['run', 'em', '--model', 'openai:tiny', '--base-url', server.url, '--data', 'd.jsonl'],
  ...more,
];

/** Every file of a folder, and of those in it. */
function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)],
  );
}

describe('run em on an API model', () => {
  it('asks the endpoint, scores what it says, and tells what it cost', async () => {
    await using server = await LoopbackServer.start();
    writeFileSync(join(folder, 'prices.json'), JSON.stringify({ tiny: { input: 1, output: 10 } }));
    const args = em(server, '--out', 'out', '--prices', 'prices.json', '--stream', '--service-tier', 'flex');
    const { code, stdout, stderr } = await runCli(args, { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/exact match +100\.0 %/);
    expect(stdout).toContain('12 answers from the endpoint; tokens: 102 in, 60 out; cost: 0.000702');
    expect(server.requests.length).toBe(12);
    const manifest = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'));
    expect(manifest.model).toMatchObject({ path: 'openai:tiny', sha256: null, tokenizerSha256: null });
    expect(manifest.usage.asked).toMatchObject({ requests: 12, inputTokens: 102, outputTokens: 60 });
    expect(manifest.engine.endpoint).toMatchObject({
      baseUrl: server.url,
      api: 'chat',
      serviceTier: 'flex',
      stream: true,
      capabilities: { tokenLimit: 'max_completion_tokens', topLogProbs: 0 },
    });
  });

  it('goes on after kill -9: nothing is asked twice, nothing is lost', async () => {
    let killed = () => undefined as unknown;
    await using server = await LoopbackServer.start({ faultAt: (number) => (number === 7 ? 'hang' : null) });
    const first = spawn(process.execPath, [MAIN, ...em(server, '--out', 'first', '--concurrency', '1')], {
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => first.once('close', resolve));
    server.onHang = () => killed();
    killed = () => first.kill('SIGKILL');
    await ended;
    const journal = join(folder, 'first', 'answers.jsonl');
    expect(readFileSync(journal, 'utf8').trimEnd().split('\n').length).toBe(7);
    // The killed process has left its lock, and perhaps half a line.
    expect(existsSync(`${journal}.lock`)).toBe(true);
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}{"v":1,"key":"torn`);

    const args = em(server, '--out', 'second', '--answers', 'first/answers.jsonl');
    const { code, stdout, stderr } = await runCli(args, { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('5 answers from the endpoint');
    expect(stdout).toContain('7 answers that were there already, not asked again');
    // The eighth was on its way when the process died.
    const prompts = server.requests.map(({ body }) => String(body.messages![0]!.content).length);
    expect(prompts.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12]);
    // And the same as a run that was not killed.
    await runCli(em(server, '--out', 'whole'), { cwd: folder });
    for (const file of ['rows.jsonl', 'rows.csv', 'metrics.json', 'summary.csv']) {
      expect(readFileSync(join(folder, 'second', file), 'utf8'), file).toBe(
        readFileSync(join(folder, 'whole', file), 'utf8'),
      );
    }
  });

  it('keeps the key out of everything that it writes and prints, whatever the server says', async () => {
    await using server = await LoopbackServer.start({
      brain: (request) => {
        if (String(request.body.messages?.[0]?.content).length === 3) {
          throw new Refusal(400, { message: `do not send ${request.authorization} here` });
        }
        return parrot(request);
      },
    });
    const env = { OPENAI_API_KEY: KEY, OPENAI_LOG: 'debug' };
    const good = await runCli(em(server, '--out', 'good', '--json'), { cwd: folder, env });
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ counts: { ok: 11, failed: 1 }, usage: { asked: {} } });
    await using bad = await LoopbackServer.start({
      brain: ({ authorization }) => {
        throw new Refusal(401, { message: `Incorrect API key provided: ${authorization}` });
      },
    });
    const refused = await runCli(em(bad, '--out', 'bad'), { cwd: folder, env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toBe(
      'logit-audit: the endpoint answered 401: Incorrect API key provided: Bearer [key]\n',
    );
    // It was sent, and stands nowhere.
    expect(server.requests[0]!.authorization).toBe(`Bearer ${KEY}`);
    const said = [good, refused].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    const written = filesIn(folder).map((file) => readFileSync(file, 'utf8'));
    expect(written.length).toBeGreaterThan(5);
    for (const text of [...said, ...written]) expect(text).not.toContain(KEY);
    expect(readFileSync(join(folder, 'good', 'rows.csv'), 'utf8')).toContain('do not send Bearer [key] here');
  });

  it('refuses a suite that needs what the endpoint lacks, before anything is asked or written', async () => {
    await using server = await LoopbackServer.start();
    writeFileSync(
      join(folder, 'c.jsonl'),
      '{"id":"a","x":"The nurse said that she was late.","x_swap":"The nurse said that he was late."}\n',
    );
    const args = ['run', 'ctf', '--model', 'openai:tiny', '--base-url', server.url, '--data', 'c.jsonl'];
    const { code, stderr } = await runCli([...args, '--out', 'out'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('run it on a GGUF model');
    expect([server.requests.length, existsSync(join(folder, 'out'))]).toEqual([0, false]);
  });

  it('is interrupted as any other run, and keeps its answers', async () => {
    await using server = await LoopbackServer.start({ faultAt: (number) => (number === 3 ? 'hang' : null) });
    const { code, stderr } = await runCli(em(server, '--out', 'out', '--concurrency', '1'), {
      cwd: folder,
      onStart: (kill) => {
        server.onHang = kill;
      },
    });
    expect([code, stderr]).toEqual([
      130,
      'logit-audit: the run was stopped; its whole windows of rows are kept: continue with --resume and --out out\n',
    ]);
    expect(
      readFileSync(join(folder, 'out', 'answers.jsonl'), 'utf8')
        .trimEnd()
        .split('\n').length,
    ).toBe(3);
    expect(existsSync(join(folder, 'out', 'answers.jsonl.lock'))).toBe(false);
    expect(JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'))).toMatchObject({
      status: 'cancelled',
      usage: { asked: { requests: 3 } },
    });
  });

  it('asks consistency for its answers', async () => {
    await using server = await LoopbackServer.start();
    writeFileSync(
      join(folder, 'c.jsonl'),
      '{"id":"a","x":"She is a nurse. What is she?","x_swap":"He is a nurse. What is he?"}\n',
    );
    const args = [
      'run',
      'consistency',
      '--model',
      'openai:tiny',
      '--base-url',
      server.url,
      '--data',
      'c.jsonl',
    ];
    const { code, stderr } = await runCli([...args, '--out', 'out', '--chat'], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(server.requests.length).toBe(2);
  });

  it('shows bbq its images, and asks for texts', async () => {
    await using server = await LoopbackServer.start({
      brain: ({ body }) => ({ text: JSON.stringify(body).includes('image_url') ? 'B' : 'A' }),
    });
    writeFileSync(join(folder, 'multi.json'), JSON.stringify([MULTI]));
    const image = join(folder, MULTI.image_path);
    mkdirSync(dirname(image), { recursive: true });
    writeFileSync(image, PNG);
    const args = ['run', 'bbq', '--experiment', 'main', '--model', 'openai:sight', '--base-url', server.url];
    const cell = ['--split', 'visual_language', '--context', 'ambiguous', '--polarity', 'negative'];
    const rest = [...cell, '--data', 'multi.json', '--image-root', folder, '--json'];
    const letters = await runCli([...args, ...rest, '--out', 'letters'], { cwd: folder });
    expect(letters.code).toBe(2);
    expect(letters.stderr).toContain('log-probabilities of given continuations');
    expect(server.requests.length).toBe(0);
    const texts = await runCli([...args, ...rest, '--answer', 'text', '--out', 'out'], { cwd: folder });
    expect([texts.code, texts.stderr]).toEqual([0, '']);
    expect(JSON.stringify(server.requests[0]!.body)).toContain(PNG.toString('base64'));
    const [{ file }] = JSON.parse(texts.stdout).results;
    expect(file).toMatch(/openai-sight_api_visual_language_negative_ambiguous\.json$/);
    expect(readFileSync(join(folder, file), 'utf8')).toMatch(/"pred": *"B"/);
  });
});
