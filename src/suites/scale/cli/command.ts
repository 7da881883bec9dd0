/** The commands over results of a scale, each in its group. */
import type { Command } from 'commander';
import { commandGroup } from '../../../shell/groups.ts';
import { addAggregateScale } from './aggregate.ts';
import { addEvaluateScale } from './evaluate.ts';
import { addIngestScale } from './ingest.ts';
import { addPipelineScale } from './pipeline.ts';

export function addPersonaCommands(program: Command): void {
  addIngestScale(commandGroup(program, 'ingest'));
  addEvaluateScale(commandGroup(program, 'evaluate'));
  addAggregateScale(commandGroup(program, 'aggregate'));
  addPipelineScale(commandGroup(program, 'pipeline'));
}
