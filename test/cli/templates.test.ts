/** Chat templates from the shell: what becomes of system messages and dates, what the manifest keeps, what is printed. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { chatModel } from '../model/chat-model.ts';
import { PUBLISHED } from '../prompt/published.ts';
import { CHATML } from '../prompt/templates.ts';
import { MULTI } from '../suites/bbq/bbq-data.ts';
import { PEOPLE, TEA } from '../suites/scale/tea.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
  mkdirSync(join(cwd, 'scales'));
  writeFileSync(join(cwd, 'scales/tea.yaml'), TEA);
  writeFileSync(join(cwd, 'people.csv'), PEOPLE);
  writeFileSync(join(cwd, 'multi.json'), JSON.stringify([MULTI]));
  writeFileSync(join(cwd, 'em.jsonl'), `${JSON.stringify({ prompt: 'Who?', answer: 'x' })}\n`);
});
const cli = (line: string) => runCli(line.split(' '), { cwd });
const json = (file: string) => JSON.parse(readFileSync(join(cwd, file), 'utf8'));
const model = (template: string) => {
  copyFileSync(chatModel(template, { contextLength: 4096 }), join(cwd, 'm.gguf'));
};
const NOTE =
  "logit-audit: note: the chat template of m.gguf takes no system message; what it says stands in front of the user's message (--system-role)\n";

test('every suite that tells a model something does so without a system role, and says it once', async () => {
  model(PUBLISHED.GEMMA);
  const bbq = await cli(
    'run bbq --experiment main --split text --model m.gguf --data multi.json --answer letters --out bbq --ctx 4096',
  );
  const scale = await cli(
    'run scale --scale tea --model m.gguf --participants people.csv --out tea --max-tokens 2 --ctx 4096',
  );
  for (const { code, stderr } of [bbq, scale]) expect([code, stderr]).toEqual([0, NOTE]);
  expect(json('tea/manifest.json')).toMatchObject({
    model: { chats: { systemRole: 'fold', content: 'text', date: null, error: null } },
    counts: { failed: 0 },
  });
});

test('a system role is kept where the user says so, and its refusal is that of each row', async () => {
  model(PUBLISHED.GEMMA);
  const kept = await cli(
    'run scale --scale tea --model m.gguf --participants people.csv --out tea --max-tokens 2 --ctx 4096 --system-role keep',
  );
  expect(kept.stdout + kept.stderr).toContain('it refuses this chat: System role not supported');
  expect(json('tea/manifest.json')).toMatchObject({
    model: { chats: { systemRole: 'keep' } },
    engine: { options: { systemRole: 'keep' } },
  });
  const other = await cli(
    'run scale --scale tea --model m.gguf --participants people.csv --out tea --max-tokens 2 --ctx 4096 --resume',
  );
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('how chats are rendered')]);
});

test('a date is that of the run, on every day, and a resumed run has the same', async () => {
  model(PUBLISHED.DATED);
  const run = 'run em --model m.gguf --data em.jsonl --chat --max-tokens 2';
  const first = await cli(`${run} --out first`);
  expect([first.code, first.stderr]).toEqual([
    0,
    'logit-audit: note: the chat template of m.gguf writes a date; it is 2025-01-01 in every run (--date)\n',
  ]);
  const dated = await cli(`${run} --out second --date 2025-01-01`);
  expect([dated.code, dated.stderr]).toEqual([0, '']);
  expect(json('second/manifest.json').promptsSha256).toBe(json('first/manifest.json').promptsSha256);
  expect(json('second/manifest.json')).toMatchObject({
    engine: { options: { date: '2025-01-01' } },
    model: { chats: { date: '2025-01-01' } },
  });
  const later = await cli(`${run} --out second --resume --date 2025-01-02`);
  expect([later.code, later.stderr]).toEqual([2, expect.stringContaining('cannot be resumed')]);
  const none = await cli(`${run} --out third --date 2025-02-30`);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Give a day as YYYY-MM-DD')]);
});

test('a template that hurts is a line of model info, and a short reason of each row', async () => {
  model(`${' '.repeat(900_000)}{{ 1 }}`);
  const info = await cli('model info m.gguf');
  expect([info.code, info.stdout]).toEqual([
    0,
    expect.stringContaining(
      'cannot be rendered: the chat template of m.gguf: it was stopped after 2 seconds',
    ),
  ]);
  expect(JSON.parse((await cli('model info m.gguf --json')).stdout).chats).toMatchObject({
    systemRole: null,
  });
  const rows = Array.from({ length: 300 }, (_, id) => JSON.stringify({ id, prompt: `${id}`, answer: 'x' }));
  writeFileSync(join(cwd, 'em.jsonl'), `${rows.join('\n')}\n`);
  const run = await cli('run em --model m.gguf --data em.jsonl --chat --max-tokens 2 --out out');
  expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('it was stopped after 2 seconds')]);
  const journal = readFileSync(join(cwd, 'out/rows.jsonl'), 'utf8').trim().split('\n');
  expect(journal).toHaveLength(300);
  expect(Math.max(...journal.map((line) => line.length))).toBeLessThan(1_000);
});

test('model info says how a template wants its chats', async () => {
  const lines = async (template: string) => {
    model(template);
    return (await cli('model info m.gguf')).stdout
      .split('\n')
      .filter((line) => /^(system messages|content|date|its chats) /.test(line))
      .map((line) => line.trimEnd().replace(/ {2,}/, ': '));
  };
  expect(await lines(CHATML)).toEqual(['system messages: taken']);
  expect(await lines(PUBLISHED.GEMMA)).toEqual([
    "system messages: not taken: they stand in front of the user's message",
  ]);
  expect(await lines(PUBLISHED.PARTS)).toEqual(['system messages: taken', 'content: as a list of parts']);
  expect(await lines(PUBLISHED.DATED)).toEqual([
    'system messages: taken',
    'date: 2025-01-01, where none is given (--date)',
  ]);
});
