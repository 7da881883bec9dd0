/** What every command says of itself. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/commands.ts';
import { runCli } from './run-cli.ts';

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)];
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

describe('help', () => {
  it.each(all(createProgram()).map((command) => [pathOf(command), command] as const))(
    'of %s has examples of it',
    (path, command) => {
      const help = helpOf(command);
      const examples = help
        .split(/^Examples?\b.*$/m)
        .slice(1)
        .join('');
      expect(examples).toMatch(new RegExp(`^  ${path}( |$)`, 'm'));
    },
  );

  it('is found at any depth, and by whole names only', async () => {
    const crows = await runCli(['help', 'run', 'crows'], { cwd: '.' });
    expect([crows.code, crows.stderr]).toEqual([0, '']);
    expect(crows.stdout).toMatch(/^Usage: logit-audit run crows /);
    const unknown = await runCli(['help', 'crows'], { cwd: '.' });
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toMatch(
      /unknown command 'crows' of logit-audit\nDid you mean:\n {2}logit-audit run crows\n/,
    );
  });
});

describe('--model with an address', () => {
  it('says how an endpoint is given', async () => {
    const address = 'http://127.0.0.1:1/v1';
    const { code, stdout, stderr } = await runCli(['lexicon', 'map', 'gender-en', '--model', address], {
      cwd: '.',
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.includes(`openai:MODEL with --base-url ${address}`) || stderr).toBe(true);
  });
});
