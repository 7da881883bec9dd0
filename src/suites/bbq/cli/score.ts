/** `logit-audit score bbq`: scores of answers that are there already; no model is asked. */
import { type Command, Option } from 'commander';
import { runAction } from '../../../shell/exit.ts';
import { addMultibbqScore, MULTIBBQ_NOTES, type MultibbqFlags } from './score-multibbq.ts';
import { addPaperScore, type PaperFlags } from './score-paper.ts';

type ScoreFlags = MultibbqFlags & PaperFlags & { readonly format: 'multibbq' | 'bbq' };

export function addScoreBbq(group: Command): void {
  const bbq = group
    .command('bbq')
    .summary('fairness and bias scores of answers to BBQ and its kin')
    .description('Scores answers out of files, whoever made them, by category and overall.')
    .requiredOption('--results <paths...>', 'files with answers; with multibbq also a folder of them')
    .addOption(
      new Option(
        '--format <name>',
        "what the files hold: MultiBBQ's result files, or BBQ rows with predictions",
      )
        .choices(['multibbq', 'bbq'])
        .default('multibbq'),
    )
    .option('--out <folder>', 'where files are written (default: none is)')
    .option('--force', 'replace files that are there')
    .option('--json', 'print the scores as JSON');
  const scoreMultibbq = addMultibbqScore(bbq);
  bbq.addHelpText('after', MULTIBBQ_NOTES);
  const scorePaper = addPaperScore(bbq);
  bbq.action((flags: ScoreFlags) =>
    runAction({ json: flags.json === true }, (signal) =>
      flags.format === 'bbq' ? scorePaper(flags, signal) : scoreMultibbq(flags, signal),
    ),
  );
}
