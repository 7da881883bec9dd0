/** The commands in docs and help of rules and retrieval are commands that there are. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addRetrievalCommand } from '../../src/suites/rules/cli/retrieval/command.ts';
import { addRunRules } from '../../src/suites/rules/cli/run-command.ts';

function program(): Command {
  const program = new Command('logit-audit');
  addRunRules(program.command('run'));
  addRetrievalCommand(program);
  return program;
}

/** Commands of indented lines, one that goes on in the next line as one. */
function commandsIn(text: string): string[][] {
  return [...text.replaceAll(/\\\n\s+/g, '').matchAll(/^ +logit-audit ((?:run rules|retrieval) .*)$/gm)].map(
    ([, line]) =>
      // Brackets are about what may be left out; "engine options" are no words of a command.
      [
        ...line!
          .replaceAll(/\[engine options\]|[[\]]/g, '')
          .replace('queries|both', 'both')
          .matchAll(/"([^"]*)"|(\S+)/g),
      ].map(([, quoted, plain]) => quoted ?? plain!),
  );
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => (text += piece) }).outputHelp();
  return text;
}

/** What of the words no command knows. Options that are no good throw. */
function unknownIn(words: readonly string[]): readonly string[] {
  let command = program();
  let rest = [...words];
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (!next) break;
    command = next.exitOverride();
    rest = rest.slice(1);
  }
  const { operands, unknown } = command.parseOptions(rest);
  return command.name() === 'info' ? unknown : [...unknown, ...operands];
}

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const all = program();
const rules = all.commands[0]!.commands[0]!;
const build = all.commands[1]!.commands[0]!;

describe.each([
  ['docs/rules.md', read('rules.md'), 5],
  ['docs/retrieval.md', read('retrieval.md'), 3],
  ['help of run rules', helpOf(rules), 6],
  ['help of retrieval build', helpOf(build), 3],
])('%s', (_, text, least) => {
  it('has commands, with options that there are and that each takes', () => {
    const commands = commandsIn(text);
    expect(commands.length).toBeGreaterThanOrEqual(least);
    for (const words of commands) expect([words.join(' '), unknownIn(words)]).toEqual([words.join(' '), []]);
  });
});

it('docs/rules.md tells of every option about API models that is its own', () => {
  const text = read('rules.md');
  for (const flag of ['--stage2-model', '--stage2-base-url', '--resume', '--override', '--api'])
    expect(text).toContain(flag);
});
