/** `logit-audit score bbq`: scores of answers that are there already; no model is asked. */
import { type Command, Option } from 'commander';
import { runAction } from '../exit.ts';
import { addPaperScore, type PaperFlags } from './score-paper.ts';

export function addScoreCommand(program: Command): void {
  const score = program
    .command('score')
    .summary('score answers that are there already')
    .description('Scores of answers out of files, whoever made them; no model is needed.');
  const bbq = score
    .command('bbq')
    .summary('BBQ: accuracies and bias scores')
    .description('Scores answers to BBQ by category, each number with its interval.')
    .requiredOption('--results <files...>', 'rows with answers; several files are one set')
    .addOption(new Option('--format <name>', 'what the files hold').choices(['bbq']).default('bbq'))
    .option('--out <folder>', 'write scores.json, scores.csv and rows.csv there')
    .option('--force', 'replace files that are there')
    .option('--json', 'print the scores as JSON');
  const scorePaper = addPaperScore(bbq);
  bbq.action((flags: PaperFlags) =>
    runAction({ json: flags.json === true }, (signal) => scorePaper(flags, signal)),
  );
}
