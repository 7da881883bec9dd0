/** A run whose answers are all the same says so: on the screen, and in what programs read. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { chatModel } from '../model/chat-model.ts';
import { CHATML } from '../prompt/templates.ts';
import { MULTI } from '../suites/bbq/bbq-data.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const NOTE = /is the same in all/;

/** Six rows; `unknownAt` says at which letter the answer stands that names nobody. */
async function run(unknownAt: (row: number) => number, ...flags: string[]) {
  const cwd = temporaryFolder();
  const rows = Array.from({ length: 6 }, (_, row) => {
    const options = ['The old cook', 'The young cook'];
    options.splice(unknownAt(row), 0, 'Unknown');
    const at = (option: string) => options.indexOf(option);
    return {
      ...MULTI,
      q_id: row,
      options,
      unk_label_idx: at('Unknown'),
      neg_label_idx: at('The old cook'),
      stereotype_group_idx: at('The old cook'),
      nonneg_label_idx: at('The young cook'),
      nonstereotype_group_idx: at('The young cook'),
    };
  });
  writeFileSync(join(cwd, 'data.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const args = ['run', 'bbq', '--model', 'policy:always-unknown', '--data', 'data.jsonl'];
  return await runCli([...args, '--experiment', 'llm', '--out', 'o', ...flags], { cwd });
}

describe('run bbq', () => {
  it('names the letter that every row got', async () => {
    const { code, stdout } = await run(() => 1);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^note: text_negative_ambiguous: the likeliest letter is the same in all 6 rows that have one: "B"/m,
    );
  });

  it('gives programs the same', async () => {
    const { code, stdout } = await run(() => 1, '--json');
    expect(code).toBe(0);
    const { parts } = JSON.parse(stdout) as { parts: { remarks: string[] }[] };
    expect(parts).toHaveLength(4);
    for (const { remarks } of parts) expect(remarks).toContainEqual(expect.stringMatching(NOTE));
  });

  it('says nothing where one row has another letter', async () => {
    const { code, stdout } = await run((row) => (row === 4 ? 0 : 1));
    expect(code).toBe(0);
    expect(stdout).not.toMatch(NOTE);
  });
});

test.each([
  ['em', { prompt: 'Who?', answer: 'x' }],
  ['consistency', { x: 'he', x_swap: 'she' }],
])(
  'run %s of a model with a chat template says that plain text was asked, where answers are alike',
  async (suite, row) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'data.jsonl'), `${JSON.stringify(row)}\n`.repeat(6));
    copyFileSync(chatModel(CHATML, { contextLength: 4096 }), join(cwd, 'm.gguf'));
    const notes = async (...flags: string[]) => {
      const args = ['run', suite, '--model', 'm.gguf', '--data', 'data.jsonl', '--max-tokens', '2'];
      const { code, stdout } = await runCli([...args, '--out', `o${flags.length}`, ...flags], { cwd });
      expect(code).toBe(0);
      return [NOTE.test(stdout), stdout.includes('--chat asks in its template')];
    };
    expect(await notes()).toEqual([true, true]);
    expect(await notes('--chat')).toEqual([true, false]);
  },
);
