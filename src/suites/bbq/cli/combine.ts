/** `logit-audit combine bbq`: the scores of a tree of scored copies in one file. */
import type { Command } from 'commander';
import { formatCount } from '../../../report/index.ts';
import { print } from '../../../report/terminal.ts';
import { runAction } from '../../../shell/exit.ts';
import { combineResults } from '../score/index.ts';
import { type OutputFlags, withOutputOptions } from './shared.ts';

type CombineFlags = OutputFlags & { results: string };

const NOTES = `
Example:
  logit-audit combine bbq --results out/analysis --out out`;

export function addCombineBbq(group: Command): void {
  const command = group
    .command('bbq')
    .summary('scored copies of "score bbq"')
    .description(
      'Writes combined_metrics.json: the scores of every *_w_metrics.json at any depth of a folder.',
    )
    .requiredOption('--results <folder>', 'folder of scored copies')
    .requiredOption('--out <folder>', 'where combined_metrics.json goes');
  withOutputOptions(command)
    .addHelpText('after', NOTES)
    .action((flags: CombineFlags) =>
      runAction({ json: flags.json === true }, (signal) => combine(flags, signal)),
    );
}

async function combine({ results, out, json, ...flags }: CombineFlags, signal: AbortSignal): Promise<void> {
  const files = await combineResults(results, out, { ...flags, compat: flags.compat !== undefined, signal });
  const names = files.map(({ name }) => name);
  print(
    json
      ? `${JSON.stringify({ out, files: names }, null, 2)}\n`
      : `${formatCount(files.length)} combined in ${out}\n`,
  );
}
