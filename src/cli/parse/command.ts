/** `logit-audit parse`: what models wrote, read as what they were asked for. */
import type { Command } from 'commander';
import { addJsonCommand } from './json.ts';
import { addLetterCommand } from './letter.ts';

const EXAMPLES = `
Examples:
  logit-audit parse letter --data answers.jsonl
  logit-audit parse json --data answers.jsonl --schema schema.json`;

export function addParseCommand(program: Command): void {
  const parse = program
    .command('parse')
    .summary("read models' free text: answer letters, JSON")
    .description(
      'Reads what models wrote as what they were asked for; what cannot be read is said and counted.',
    )
    .addHelpText('after', EXAMPLES);
  addLetterCommand(parse);
  addJsonCommand(parse);
}
