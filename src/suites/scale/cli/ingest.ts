/** `logit-audit ingest scale`: models' texts to predictions. */
import type { Command } from 'commander';
import { formatJson } from '../../../report/index.ts';
import { print } from '../../../report/terminal.ts';
import { runAction } from '../../../shell/exit.ts';
import { checkNotInput } from '../../../shell/output-path.ts';
import { loadScale } from '../data/index.ts';
import { ingestResults } from '../score/index.ts';
import {
  type IngestFlags,
  judgeIngest,
  type ModeFlags,
  type ScaleFlags,
  scaleCommand,
  warnAll,
  withIngestOptions,
  withModeOptions,
  withOutputOptions,
} from './shared.ts';
import { ingestSheet } from './sheet.ts';

type Flags = ScaleFlags & ModeFlags & IngestFlags;

const NOTES = `
Every row of the results is a row of the predictions. One that fails keeps its text, and its error says why: "Type: message".
A second row of a case id is an error, its scores beside it. parse_success.csv, next to the predictions, counts by tier.
Exit codes: 0 done; 1 no answer could be read, or fewer than --min-parse asks for; 2 bad input; 3 disk full; 130 interrupted.

Examples:
  logit-audit ingest scale --scale prca-24 --results results.csv --out out/predictions.csv
  logit-audit ingest scale --scale prca-24 --results results.csv --min-parse 0.98 --out out/predictions.csv`;

export function addIngestScale(group: Command): void {
  const command = scaleCommand(
    group,
    'scores and bands out of the texts of a questionnaire',
    "Reads models' texts by case id into scores and bands of a scale.",
    'the file of predictions',
  );
  withOutputOptions(withModeOptions(withIngestOptions(command)))
    .addHelpText('after', NOTES)
    .action((flags: Flags) =>
      runAction({ json: flags.json === true }, async (signal) => {
        const { scale, results, out, json, ...options } = flags;
        checkNotInput('--out', out, [results]);
        const ingested = await ingestResults(await loadScale(scale), results, out, { ...options, signal });
        warnAll(ingested.notes);
        judgeIngest(ingested, flags.minParse);
        const written = `written: ${ingested.files.join(', ')}`;
        print(json ? formatJson(ingested) : `${ingestSheet(ingested)}\n\n${written}\n`);
      }),
    );
}
