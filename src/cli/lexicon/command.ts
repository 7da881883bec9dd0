/** `logit-audit lexicon`: groups of words kept as data, looked at, changed, and mapped to a model's tokens. */

import { type Command, Option } from 'commander';
import { DEFAULT_POLICY, MULTI_TOKEN_POLICIES, validateLexicon } from '../../lexicon/index.ts';
import { runAction } from '../../shell/exit.ts';
import { tellFindings } from '../../shell/findings.ts';
import { POLICY_HELP } from '../../shell/mapping-sheet.ts';
import { withEngineOptions } from '../../shell/options.ts';
import { groupedWords, groupFile, groupOfWords, names, pair } from './arguments.ts';
import { type CreateFlags, create, remove, type UpdateFlags, update } from './change.ts';
import { CREATE, DELETE, LIST, MAP, OVERVIEW, SHOW, UPDATE, VALIDATE } from './help.ts';
import { list, show } from './look.ts';
import { type MapFlags, map } from './map.ts';

export async function validate(targets: readonly string[], flags: { json?: boolean }): Promise<void> {
  await tellFindings(targets, (target) => validateLexicon(target), flags);
}

interface JsonFlag {
  json?: boolean;
}

export function addLexiconCommand(program: Command): void {
  const lexicon = program
    .command('lexicon')
    .summary('groups of words: list, make, change, check, map to tokens')
    .description('Lexicons are groups of words, of any number and name, with partners and occupations.')
    .addHelpText('after', OVERVIEW);
  addLook(lexicon);
  addChange(lexicon);
  addMap(lexicon);
}

function addLook(lexicon: Command): void {
  lexicon
    .command('list')
    .summary('which lexicons there are')
    .description('Lists the shipped lexicons and your own, lexicons/NAME.yaml in the working folder.')
    .option('--json', 'print the list as JSON')
    .addHelpText('after', LIST)
    .action((flags: JsonFlag) => runAction({ json: flags.json === true }, () => list(flags)));
  lexicon
    .command('show')
    .summary('print a lexicon')
    .description('Prints the file of a lexicon as it is, comments and all.')
    .argument('<lexicon>', 'name or path')
    .option('--json', 'print what was read from it as JSON')
    .addHelpText('after', SHOW)
    .action((name: string, flags: JsonFlag) =>
      runAction({ json: flags.json === true }, () => show(name, flags)),
    );
  lexicon
    .command('validate')
    .summary('check lexicons')
    .description('Prints every fault of each lexicon, and what is allowed but may not be meant.')
    .argument('<lexicon...>', 'names, paths or word lists')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', VALIDATE)
    .action((targets: string[], flags: JsonFlag) =>
      runAction({ json: flags.json === true }, () => validate(targets, flags)),
    );
}

function addChange(lexicon: Command): void {
  lexicon
    .command('create')
    .summary('make a lexicon of your own')
    .description(
      'Makes lexicons/NAME.yaml in the working folder: a copy of another lexicon, or groups of words.',
    )
    .argument('<name>', 'letters, digits, _ and -')
    .option('--from <lexicon>', 'name or path of the lexicon to copy, comments and all')
    .option('--group <group=file>', 'group with the words of a word list; may be repeated', groupFile)
    .option('--words <group=word,word>', 'group with these words; may be repeated', groupOfWords)
    .option('--language <tag>', 'language of the words, such as en (default: as copied, or und: not known)')
    .option('--description <text>', 'what the words are')
    .option('--json', 'print what was made as JSON')
    .addHelpText('after', CREATE)
    .action((name: string, flags: CreateFlags) =>
      runAction({ json: flags.json === true }, () => create(name, flags)),
    );
  lexicon
    .command('update')
    .summary('change a lexicon of your own')
    .description(
      'Changes lexicons/NAME.yaml in the working folder. Every option but the last three may be repeated.',
    )
    .argument('<name>', 'name of the lexicon')
    .option('--add-words <group=word,word>', 'add words to a group', groupedWords)
    .option('--remove-words <group=word,word>', 'remove words, and the pairs that they are in', groupedWords)
    .option('--add-group <group=file>', 'add a group with the words of a word list', groupFile)
    .option('--words <group=word,word>', 'add a group with these words', groupOfWords)
    .option('--remove-group <group>', 'remove a group, and the pairs that its words are in', names)
    .option('--add-pair <group:word,group:word[:as]>', 'add a pair of partners, for the use "as"', pair)
    .option('--remove-pair <group:word,group:word[:as]>', 'remove a pair, without "as" in every use', pair)
    .option('--language <tag>', 'language of the words')
    .option('--description <text>', 'what the words are')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', UPDATE)
    .action((name: string, flags: UpdateFlags) =>
      runAction({ json: flags.json === true }, () => update(name, flags)),
    );
  lexicon
    .command('delete')
    .summary('delete a lexicon of your own')
    .description('Deletes lexicons/NAME.yaml in the working folder. Shipped lexicons stay.')
    .argument('<name>', 'name of the lexicon')
    .option('--json', 'print what was deleted as JSON')
    .addHelpText('after', DELETE)
    .action((name: string, flags: JsonFlag) =>
      runAction({ json: flags.json === true }, () => remove(name, flags)),
    );
}

function addMap(lexicon: Command): void {
  const command = lexicon
    .command('map')
    .summary("map a lexicon to a model's tokens")
    .description('Shows how each form of each word becomes a token id of a model, or why it does not.')
    .argument('<lexicon>', 'name, path or word lists')
    .requiredOption('--model <file>', 'GGUF model; of a model in parts, the first')
    .addOption(
      new Option('--policy <policy>', POLICY_HELP).choices(MULTI_TOKEN_POLICIES).default(DEFAULT_POLICY),
    )
    .option('--no-capitalised', 'leave the capitalised forms of the words out')
    .option('--groups-out <file>', 'write {"group": [ids]} to a JSON file; one that is there is replaced')
    .option('--json', 'print the mapping as JSON');
  withEngineOptions(command, ['timeout', 'inProcess'])
    .addHelpText('after', MAP)
    .action((name: string, flags: MapFlags) =>
      runAction({ json: flags.json === true }, () => map(name, flags)),
    );
}
