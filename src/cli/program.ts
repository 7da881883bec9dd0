/** The command of commander with what ours do alike: where their words go, and what is said to a name that none has. */
import { Command } from 'commander';
import { print, printError } from '../report/terminal.ts';

const MOST_SUGGESTIONS = 4;

export class Program extends Command {
  constructor(name?: string) {
    super(name);
    this.exitOverride();
    this.configureOutput({ writeOut: print, writeErr: printError });
    this.showHelpAfterError('(add --help for the commands and options)');
  }

  override createCommand(name?: string): Command {
    return new Program(name);
  }

  /** Replaces commander's, which knows the commands of one level only: `crows` is one of `run`. */
  unknownCommand(): never {
    return this.#unknown(this.args[0] ?? '');
  }

  /** Replaces commander's, which reads one name only: `help run crows` is about `crows`. */
  _dispatchHelpCommand(): never {
    let command: Program = this;
    for (const name of this.args.slice(1)) {
      const next = command.commands.find((one) => one.name() === name || one.aliases().includes(name));
      command = (next as Program | undefined) ?? command.#unknown(name);
    }
    return command.help();
  }

  #unknown(name: string): never {
    const suggested = suggestions(name, this);
    const lines = suggested.map((path) => `\n  ${path}`).join('');
    const meant =
      suggested.length === 0 ? '' : `\nDid you mean${suggested.length > 1 ? ' one of' : ''}:${lines}`;
    const group = pathOf(this);
    return this.error(`error: unknown command '${name}' of ${group}${meant}`, {
      code: 'commander.unknownCommand',
    });
  }
}

/** Whole commands whose last name is `name`, else nearly so: those of `here` first. */
export function suggestions(name: string, here: Command): string[] {
  let root = here;
  while (root.parent !== null) root = root.parent;
  const all = [...below(here), ...below(root)];
  const named = all.filter((command) => command.name() === name || command.aliases().includes(name));
  const distances = all.map((command) => ({
    command,
    distance: distance(name.toLowerCase(), command.name()),
  }));
  const close = distances
    .filter(({ command, distance }) => distance <= Math.max(1, Math.floor(command.name().length / 3)))
    .sort((a, b) => a.distance - b.distance);
  const near = close.filter((one) => one.distance === close[0]!.distance).map(({ command }) => command);
  // A slip within a group means one of the group.
  const nearHere = near.filter((command) => command.parent === here);
  const part = all.filter((command) => name.length > 2 && sharesStart(name.toLowerCase(), command.name()));
  const [found = []] = [named, nearHere, near, part].filter((list) => list.length > 0);
  return [...new Set(found.map(pathOf))].slice(0, MOST_SUGGESTIONS);
}

function below(command: Command): Command[] {
  return command.commands.flatMap((one) => [one, ...below(one)]);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function sharesStart(a: string, b: string): boolean {
  return b.length > 2 && (a.startsWith(b) || b.startsWith(a));
}

/** Edits between two names: letters put in, left out, changed, or swapped with the next. */
function distance(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      if (i === 0) {
        rows[0]!.push(j);
        continue;
      }
      const changed = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]!.push(
        Math.min(
          changed,
          rows[i - 1]![j]! + 1,
          rows[i]![j - 1]! + 1,
          ...(swapped ? [rows[i - 2]![j - 2]! + 1] : []),
        ),
      );
    }
  }
  return rows[a.length]![b.length]!;
}
