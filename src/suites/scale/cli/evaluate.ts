/** `logit-audit evaluate scale`: predictions against what participants said. */
import type { Command } from 'commander';
import { formatJson } from '../../../report/index.ts';
import { print } from '../../../report/terminal.ts';
import { runAction } from '../../../shell/exit.ts';
import { loadScale } from '../data/index.ts';
import { evaluatePredictions } from '../score/index.ts';
import {
  type ModeFlags,
  type ParticipantFlags,
  type ScaleFlags,
  scaleCommand,
  warnAll,
  withModeOptions,
  withOutputOptions,
  withParticipantOptions,
} from './shared.ts';
import { evaluationLine } from './sheet.ts';

type Flags = ScaleFlags & ModeFlags & ParticipantFlags & { predictions: string };

const NOTES = `
Writes evaluation.csv (a row a prediction, what the participant said beside it, errors and distances), generation_scores.csv,
ground_truth.csv, covariates.csv and evaluation.json, which "aggregate scale" reads. docs/personas.md has the columns.

Example:
  logit-audit evaluate scale --scale prca-24 --predictions out/predictions.csv --participants participants.csv --out out`;

export function addEvaluateScale(group: Command): void {
  const command = scaleCommand(
    group,
    'predictions beside what participants said',
    'Holds the predictions of "ingest scale" against what participants said.',
    'the folder that everything goes into',
  ).requiredOption('--predictions <file>', 'predictions of "ingest scale", or of the original program');
  withOutputOptions(withModeOptions(withParticipantOptions(command)))
    .addHelpText('after', NOTES)
    .action((flags: Flags) =>
      runAction({ json: flags.json === true }, async (signal) => {
        const { scale, predictions, participants, out, json, ...options } = flags;
        const evaluation = await evaluatePredictions(await loadScale(scale), predictions, participants, out, {
          ...options,
          signal,
        });
        warnAll(evaluation.notes);
        print(
          json ? formatJson({ out, ...evaluation }) : `${evaluationLine(evaluation)}\nwritten to ${out}\n`,
        );
      }),
    );
}
