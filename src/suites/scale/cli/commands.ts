/** Every command of scales: asking them, reading the answers, and the questionnaires themselves. */
import { commandGroup } from '../../../shell/groups.ts';
import type { WingCommands } from '../../../shell/wing.ts';
import { addAggregateScale } from './aggregate.ts';
import { addEvaluateScale } from './evaluate.ts';
import { addIngestScale } from './ingest.ts';
import { addPipelineScale } from './pipeline.ts';
import { addRunScale } from './run-command.ts';
import { addScaleCommand } from './scale/command.ts';

export const scaleCommands: WingCommands = {
  name: 'scale',
  run: addRunScale,
  results(program) {
    addIngestScale(commandGroup(program, 'ingest'));
    addEvaluateScale(commandGroup(program, 'evaluate'));
    addAggregateScale(commandGroup(program, 'aggregate'));
    addPipelineScale(commandGroup(program, 'pipeline'));
  },
  data: addScaleCommand,
};
