/** `logit-audit pipeline scale`: results and participants to tables in one go. */
import type { Command } from 'commander';
import { formatJson } from '../../../report/index.ts';
import { print } from '../../../report/terminal.ts';
import { runAction } from '../../../shell/exit.ts';
import { loadScale } from '../data/index.ts';
import { type PipelineResult, runScalePipeline } from '../score/index.ts';
import {
  type IngestFlags,
  judgeIngest,
  type ModeFlags,
  type ParticipantFlags,
  type ScaleFlags,
  scaleCommand,
  type TableFlags,
  warnAll,
  withIngestOptions,
  withModeOptions,
  withOutputOptions,
  withParticipantOptions,
  withTableOptions,
} from './shared.ts';
import { evaluationLine, ingestSheet, tablesJson, tablesSheet } from './sheet.ts';

type Flags = ScaleFlags & ModeFlags & IngestFlags & ParticipantFlags & TableFlags;

const NOTES = `
The same as "ingest scale", "evaluate scale" and "aggregate scale" one by one, into one folder. No tables are made where no
answer could be read. A run that falls short of --min-parse gets its tables, and exit code 1.
Exit codes: 0 done; 1 no answer could be read, or fewer than --min-parse asks for; 2 bad input; 3 disk full; 130 interrupted.

Examples:
  logit-audit pipeline scale --scale prca-24 --results results.csv --participants participants.csv --out out
  logit-audit pipeline scale --scale prca-24 --results results.csv --participants participants.csv --out out --by Sex
  logit-audit pipeline scale --scale prca-24 --results results.csv --participants participants.csv --out out --compat`;

export function addPipelineScale(group: Command): void {
  const command = scaleCommand(
    group,
    'answers of models that play participants of a questionnaire',
    'Goes from texts of models, and what participants said, to tables.',
    'the folder that everything goes into',
  );
  withIngestOptions(command);
  withParticipantOptions(command);
  withModeOptions(command);
  withTableOptions(command);
  withOutputOptions(command)
    .addHelpText('after', NOTES)
    .action((flags: Flags) =>
      runAction({ json: flags.json === true }, async (signal) => {
        const { scale, results, participants, out, json, ...options } = flags;
        const done = await runScalePipeline(await loadScale(scale), results, participants, out, {
          ...options,
          signal,
        });
        warnAll([...done.ingested.notes, ...(done.evaluation?.notes ?? [])]);
        judgeIngest(done.ingested, flags.minParse);
        print(json ? formatJson(asJson(out, done)) : `${sheet(out, done)}\n`);
      }),
    );
}

function asJson(out: string, { ingested, evaluation, aggregated }: PipelineResult) {
  const tables = aggregated?.tables ?? null;
  return { out, ingest: ingested, evaluation, tables: tables === null ? null : tablesJson(tables) };
}

function sheet(out: string, { ingested, evaluation, aggregated }: PipelineResult): string {
  const tables = aggregated?.tables ?? null;
  return [
    ingestSheet(ingested),
    ...(evaluation === null ? [] : [evaluationLine(evaluation)]),
    ...(tables === null ? [] : ['', tablesSheet(tables)]),
    '',
    `written to ${out}`,
  ].join('\n');
}
