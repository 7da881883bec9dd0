/** `logit-audit parse letter`: the answer letter of each text of a data file. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AuditError } from '../../errors.ts';
import { LETTER_PARSERS, type LetterParser } from '../../parse/index.ts';
import { runAction } from '../../shell/exit.ts';
import { wholeNumber } from '../../shell/options.ts';
import { parseRows } from './each-row.ts';
import { isLetters, letterRowReader } from './letter-row.ts';

interface LetterFlags {
  data: readonly string[];
  options: string;
  parser: LetterParser;
  tailSlice?: number;
  textColumn: string;
  idColumn: string;
  json?: boolean;
}

const HELP = `
A row is {"id": ..., "text": ..., "options": ...}: "text" is what the model wrote, or null where it wrote nothing;
"options" is the letters on offer ("ABC"), or the texts of the options (["The man", "The woman", "Unknown"]), which
are then called A, B, C; without it --options counts. --text-column and --id-column read other names. "unknownIndex" tells which option stands for unknown, from 0.

For each row a line {"id", "status", "value"} on stdout; without an id, a row goes by its number from 1. Counts and
bad rows are reported on stderr.
  ok         "value" is the letter
  unknown    the text says that the answer cannot be known; "value" is the letter of that option, or null
  unparsed   no answer, or none that is clear; "reason" says which, "value" is null

Parsers:
  anchored   a letter counts where the text declares it ("The answer is B", "(b)", "B. The man"), not where it occurs
  v1.1       MultiBBQ 1.1: phrases for unknown as words, then the last capital that stands alone
  v1.0       MultiBBQ 1.0: phrases for unknown even within words, then the last capital even within a word
  plurule    PluRule: the first of its forms that occurs, "(b)" before "answer: b" before "b."; small letters too

Examples:
  logit-audit parse letter --data answers.jsonl > letters.jsonl
  logit-audit parse letter --data answers.jsonl --options ABCD
  logit-audit parse letter --data results.csv --id-column caseid --text-column generated_text
  logit-audit parse letter --data answers.jsonl --parser v1.0 --tail-slice 18
Exit codes: 0 done (bad rows are counted), 1 no row could be read, 2 bad input, 3 disk full, 130 interrupted.`;

export function addLetterCommand(parse: Command): void {
  parse
    .command('letter')
    .summary('the answer letter of each text')
    .description('Reads which option of a multiple-choice question each text answers.')
    .requiredOption('--data <files...>', 'texts: JSON Lines, JSON, CSV or TSV; several are one data set')
    .addOption(
      new Option('--options <letters>', 'letters on offer to a row that has none of its own')
        .argParser(letters)
        .default('ABC'),
    )
    .addOption(
      new Option('--parser <name>', 'how letters are read').choices(LETTER_PARSERS).default('anchored'),
    )
    .option(
      '--tail-slice <n>',
      'with v1.0 and v1.1: look for phrases for unknown in the last so many characters only',
      wholeNumber(1),
    )
    .option('--text-column <name>', 'column or key of the text', 'text')
    .option('--id-column <name>', 'column or key of the id', 'id')
    .option('--json', 'counts and faults on stderr as JSON')
    .addHelpText('after', HELP)
    .action((flags: LetterFlags) =>
      runAction({ json: flags.json === true }, (signal) => parseLetters(flags, signal)),
    );
}

function letters(text: string): string {
  if (!isLetters(text)) throw new InvalidArgumentError('Give letters, each once, such as ABC.');
  return text;
}

async function parseLetters(flags: LetterFlags, signal: AbortSignal): Promise<void> {
  const { data: files, options, parser, tailSlice, textColumn, idColumn, json = false } = flags;
  if (parser === 'anchored' && tailSlice !== undefined) {
    const message = '--tail-slice is for --parser v1.0 and v1.1; leave it out, or give one of these';
    throw new AuditError('bad_argument', message, { key: 'tailSlice' });
  }
  const read = letterRowReader({ letters: options, parser, tailSlice, textColumn, idColumn });
  await parseRows({ files, read, statuses: ['ok', 'unknown', 'unparsed'], json, signal });
}
