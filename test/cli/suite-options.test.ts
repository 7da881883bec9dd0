/** A suite's table of options on the command line: the flags, what they parse to, what help says. */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { flagName, suiteOptionValues, withSuiteOptions } from '../../src/cli/run/suite-options.ts';
import { findSuite, type OptionTable, resolveOptions, suiteNames } from '../../src/suite/index.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const TABLE = {
  whichRule: { kind: 'choice', choices: ['first', 'last'], default: 'last', help: 'which one' },
  topK: { kind: 'whole', least: 1, default: 20, unit: 'k', help: 'how many' },
  gate: { kind: 'switch', default: true, help: 'count gated steps' },
  allRows: { kind: 'switch', default: false, help: 'every row' },
  note: { kind: 'text', default: null, unit: 'text', help: 'a note' },
  name: { kind: 'text', default: 'x', unit: 'name', help: 'a name' },
} as const satisfies OptionTable;

function commandOf(table: OptionTable): Command {
  const command = new Command('test').exitOverride().configureOutput({ writeErr: () => undefined });
  return withSuiteOptions(command, table);
}

/** As the run command does: flags, by the names of the table, and then the table's own check. */
function parse(...args: string[]) {
  const flags = commandOf(TABLE).parse(args, { from: 'user' }).opts();
  return resolveOptions('test', TABLE, suiteOptionValues(TABLE, flags));
}

const DEFAULTS = { whichRule: 'last', topK: 20, gate: true, allRows: false, note: null, name: 'x' };

describe('flags of a table', () => {
  it('are its names with dashes', () => {
    expect(['topK', 'gateTopK', 'steps', 'aBC'].map(flagName)).toEqual([
      'top-k',
      'gate-top-k',
      'steps',
      'a-b-c',
    ]);
  });

  it('left out give the defaults', () => {
    expect(parse()).toEqual(DEFAULTS);
  });

  it.each<[string[], object]>([
    [['--which-rule', 'first'], { whichRule: 'first' }],
    [['--top-k', '7'], { topK: 7 }],
    [['--no-gate'], { gate: false }],
    [['--all-rows'], { allRows: true }],
    [['--note', 'seen'], { note: 'seen' }],
    [['--name', ''], { name: '' }],
  ])('%j', (args, changed) => {
    expect(parse(...args)).toEqual({ ...DEFAULTS, ...changed });
  });

  it.each<[string[], RegExp]>([
    [['--which-rule', 'middle'], /Allowed choices are first, last/],
    [['--top-k', '0'], /Give a whole number from 1/],
    [['--top-k', '1e3'], /Give a whole number from 1/],
    [['--top-k', '-3'], /Give a whole number from 1/],
    [['--top-k'], /argument missing/],
    [['--gate'], /unknown option '--gate'/],
    [['--no-all-rows'], /unknown option '--no-all-rows'/],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it('have help that says what the flag does, not its opposite', () => {
    const help = commandOf(TABLE).helpInformation().replace(/\s+/g, ' ');
    expect(help).toContain('--no-gate turns off: count gated steps');
    expect(help).toContain('--all-rows every row');
    expect(help).toContain('--top-k <k> how many (default: 20)');
    expect(help).toContain('--which-rule <rule> which one (choices: "first", "last", default: "last")');
  });
});

it.each(suiteNames())('help of run %s has every option of its table', async (name) => {
  const { code, stdout } = await runCli(['run', name, '--help'], { cwd: temporaryFolder() });
  expect(code).toBe(0);
  const help = stdout.replace(/\s+/g, ' ');
  for (const [key, option] of Object.entries(findSuite(name).options)) {
    const off = option.kind === 'switch' && option.default;
    expect(help).toContain(`--${off ? 'no-' : ''}${flagName(key)}`);
    expect(help).toContain(option.help);
  }
});
