/** A suite's table of options on the command line: every flag in help, and what is refused before a model is loaded. */
import { describe, expect, it } from 'vitest';
import type { OptionDefinition } from '../../src/contract/index.ts';
import { findSuite, suiteNames } from '../../src/suites/registry.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

/** `gateTopK` is `--gate-top-k`; what is on unless said has a flag that turns it off. */
function flagOf(name: string, option: OptionDefinition): string {
  const dashed = [...name].map((letter) => (/[A-Z]/.test(letter) ? `-${letter.toLowerCase()}` : letter));
  const off = option.kind === 'switch' && option.default;
  return `--${off ? 'no-' : ''}${dashed.join('')}`;
}

/** Help on one line, so that its width breaks nothing. */
async function helpOf(name: string): Promise<string> {
  const { code, stdout } = await runCli(['run', name, '--help'], { cwd: temporaryFolder() });
  expect(code).toBe(0);
  return stdout.replace(/\s+/g, ' ');
}

/** bbq has a command of its own, which takes an experiment and runs cell by cell: test/e2e/bbq.test.ts. */
describe.each(suiteNames().filter((name) => !['bbq', 'rules'].includes(name)))('run %s', (name) => {
  const options = Object.entries(findSuite(name).options);

  it('has help for every option of its table, with its default', async () => {
    const help = await helpOf(name);
    for (const [key, option] of options) {
      const flag = flagOf(key, option);
      const off = flag.startsWith('--no-') && option.kind === 'switch' && option.default;
      expect(help).toContain(`${flag} `);
      expect(help).toContain(off ? `${flag} turns off: ${option.help}` : option.help);
      if (option.kind === 'whole') {
        expect(help).toContain(`${flag} <${option.unit}> ${option.help} (default: ${option.default})`);
      }
      if (option.kind === 'choice') {
        const choices = option.choices.map((choice) => JSON.stringify(choice)).join(', ');
        expect(help).toContain(`(choices: ${choices}, default: "${option.default}")`);
      }
    }
  });

  it.skipIf(options.length === 0)('refuses what its options cannot be', async () => {
    const run = async (...args: string[]) => {
      const given = ['run', name, '--model', 'none.gguf', '--data', 'none.jsonl', ...args];
      const { code, stderr } = await runCli(given, { cwd: temporaryFolder() });
      expect([args, code]).toEqual([args, 2]);
      return stderr;
    };
    expect(await run('--no-such-thing')).toContain("unknown option '--no-such-thing'");
    for (const [key, option] of options) {
      const flag = flagOf(key, option);
      if (option.kind === 'whole') {
        const stderr = await run(flag, String(option.least - 1));
        expect(stderr).toContain(`Give a whole number from ${option.least}.`);
      }
      if (option.kind === 'choice') {
        expect(await run(flag, 'x')).toContain(`Allowed choices are ${option.choices.join(', ')}`);
      }
    }
  });
});
