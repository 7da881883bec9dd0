/** A suite's table of options as flags of the command line, and back. */
import { type Command, Option } from 'commander';
import type { OptionDefinition, OptionTable } from '../../contract/index.ts';
import { numberFrom, wholeNumber } from '../options.ts';

/** `gateTopK` -> `gate-top-k` */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function flagOf(name: string, option: OptionDefinition): Option {
  const flag = flagName(name);
  switch (option.kind) {
    case 'choice':
      return new Option(`--${flag} <${flag.split('-').at(-1)}>`, option.help)
        .choices(option.choices)
        .default(option.default);
    case 'whole':
      return new Option(`--${flag} <${option.unit}>`, option.help)
        .argParser(wholeNumber(option.least))
        .default(option.default);
    case 'number':
      return new Option(`--${flag} <${option.unit}>`, option.help)
        .argParser(numberFrom(option.least))
        .default(option.default);
    case 'text': {
      const text = new Option(`--${flag} <${option.unit}>`, option.help);
      return option.default === null ? text : text.default(option.default);
    }
    case 'switch':
      // Help of an option tells what it does; the flag of one that is on turns it off.
      return option.default
        ? new Option(`--no-${flag}`, `turns off: ${option.help}`).default(true)
        : new Option(`--${flag}`, option.help);
  }
}

export function withSuiteOptions(command: Command, table: OptionTable): Command {
  for (const [name, option] of Object.entries(table)) command.addOption(flagOf(name, option));
  return command;
}

/** Those of the flags that are the suite's own, by the names of its table. */
export function suiteOptionValues(
  table: OptionTable,
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.keys(table).map((name) => [name, flags[name]]));
}

/** The flags that were given: which default the others have may depend on the mode, and the run knows. */
export function givenFlags(command: Command): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) !== 'default'),
  );
}
