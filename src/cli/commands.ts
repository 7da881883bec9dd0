/** The whole of the command line: every command is a file of its own. */
import { packageVersion } from '../run/index.ts';
import { addSpreadsheetOption } from '../shell/spreadsheets.ts';
import { WINGS } from '../suites/commands.ts';
import { addCompareCommand } from './compare.ts';
import { addDemoCommand } from './demo.ts';
import { addDoctorCommand } from './doctor.ts';
import { addLexiconCommand } from './lexicon/command.ts';
import { addMetricsCommand } from './metrics/command.ts';
import { addModelCommand } from './model.ts';
import { addParseCommand } from './parse/command.ts';
import { Program } from './program.ts';
import { addRunCommand } from './run/command.ts';
import { addSwapCommand } from './swap.ts';

export function createProgram(): Program {
  const program = new Program('logit-audit')
    .description('Audits language models at the level of tokens, on the whole next-token distribution.')
    .version(packageVersion())
    .addHelpText(
      'after',
      `
Examples:
  logit-audit demo                                            see it work, no model needed
  logit-audit run ctf --model model.gguf --data pairs.jsonl   audit a model
  logit-audit pipeline bbq --results results --out out        score answers that are there already
  logit-audit pipeline scale --help                           models that play participants, against what these said
  logit-audit swap --data texts.csv --out pairs.jsonl         make the pairs that it reads
  logit-audit metrics row --logits logits.npy                 measure logits of another program
  logit-audit model info model.gguf                           what a model is and needs
  logit-audit lexicon list                                    which word groups there are
  logit-audit experiment list                                 which settings of bbq there are
  logit-audit scale list                                      which questionnaires there are
  logit-audit parse letter --data answers.jsonl               which option each text answers
  logit-audit retrieval info test_to_train_....f16            which examples a moderated comment is shown
  logit-audit doctor                                          what was built, and for what`,
    );

  addRunCommand(program);
  addCompareCommand(program);
  for (const wing of WINGS) wing.results(program);
  addSwapCommand(program);
  addMetricsCommand(program);
  addModelCommand(program);
  addLexiconCommand(program);
  for (const wing of WINGS) wing.data(program);
  addParseCommand(program);
  addDemoCommand(program);
  addDoctorCommand(program);

  addSpreadsheetOption(program);
  return program;
}
