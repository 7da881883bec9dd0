/** `--model openai:MODEL` as a user meets it: the real command against a real server on loopback. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LoopbackServer } from '../server/server.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  const rows = ['a', 'bb', 'ccc', 'dddd'].map((prompt) => ({ prompt, answer: String(prompt.length + 2) }));
  writeFileSync(join(folder, 'd.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
});

describe('run em on an API model', () => {
  it('asks the endpoint and scores what it says', async () => {
    await using server = await LoopbackServer.start();
    const args = ['run', 'em', '--model', 'openai:tiny', '--base-url', server.url, '--data', 'd.jsonl'];
    const { code, stdout, stderr } = await runCli([...args, '--out', 'out'], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/exact match +100\.0 %/);
    expect(stdout).toContain('4 answers from the endpoint; tokens: 18 in, 20 out; cost: not known');
    expect(server.requests.length).toBe(4);
    const { model, usage } = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'));
    expect(model).toMatchObject({ path: 'openai:tiny', sha256: null, tokenizerSha256: null });
    expect(usage.asked).toEqual({
      requests: 4,
      inputTokens: 18,
      cachedInputTokens: null,
      outputTokens: 20,
      cost: null,
    });
  });
});
