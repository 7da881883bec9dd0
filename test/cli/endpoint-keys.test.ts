/** Keys, wherever they stand, as the real command writes and shows them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { refuse } from '../server/oddities.ts';
import { LoopbackServer } from '../server/server.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const KEY = 'sk-live-0123456789-VERY-SECRET';
const PASSWORD = 'pa55-W0RD-of-nobody';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});

async function em(baseUrl: string, prompt: string, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(join(cwd, 'd.jsonl'), `${JSON.stringify({ id: 'a', prompt, answer: '7' })}\n`);
  const args = ['run', 'em', '--model', 'openai:tiny', '--data', 'd.jsonl', '--out', 'o'];
  const address = baseUrl === '' ? [] : ['--base-url', baseUrl];
  const result = await runCli([...args, ...address], { cwd, env: { OPENAI_API_KEY: KEY, ...env } });
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((own) => own.isFile() && own.name !== 'd.jsonl')
    .map((own) => readFileSync(join(own.parentPath, own.name), 'utf8'));
  return { ...result, all: [result.stdout, result.stderr, ...files].join('\n') };
}

describe.each([
  ['as an option', (url: string) => [url, {}] as const],
  ['in the environment', (url: string) => ['', { OPENAI_BASE_URL: url }] as const],
])('an address with a password, %s,', (_, given) => {
  it.each(['http', 'ftp'])('by %s is refused and shown nowhere', async (scheme) => {
    const [url, env] = given(`${scheme}://somebody:${PASSWORD}@127.0.0.1:9/v1`);
    const { code, stderr, all } = await em(url, 'x', env);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/holds a user, a password|begins with ftp/)]);
    expect(all).not.toContain(PASSWORD);
  });
});

it.each([
  ['in its address', () => ({ location: `https://else.invalid/v1?key=${KEY}` }), ''],
  ['in its host', () => ({ location: `https://${KEY}.invalid/` }), ''],
  ['in its body', () => ({}), `<p>moved, Bearer ${KEY}</p>`],
  ['in an address that is none', () => ({ location: `http://${KEY}:x:y` }), ''],
])('a redirect with the key %s shows it nowhere', async (_, headers, body) => {
  await using server = await LoopbackServer.start({ oddities: [refuse(307, body, headers())] });
  const { code, all } = await em(server.url, 'x');
  expect(code).not.toBe(0);
  expect(all.toLowerCase()).not.toContain(KEY.toLowerCase());
});

it("a key in one's own prompts is hidden in what comes back, and sent as it stands", async () => {
  await using server = await LoopbackServer.start({
    brain: ({ body }) => ({ text: `You said: ${String(body.messages!.at(-1)!.content)}` }),
  });
  const { code, all } = await em(server.url, `my key is ${KEY}`);
  expect(code).toBe(0);
  expect(JSON.stringify(server.requests.at(-1)!.body)).toContain(KEY);
  expect(all).toContain('You said: my key is [key]');
  expect(all).not.toContain(KEY);
});
