/** Every command of BBQ and MultiBBQ. */
import { commandGroup } from '../../../shell/groups.ts';
import type { WingCommands } from '../../../shell/wing.ts';
import { addAggregateBbq } from './aggregate.ts';
import { addCombineBbq } from './combine.ts';
import { addExperimentCommand } from './experiment/command.ts';
import { addPipelineBbq } from './pipeline.ts';
import { addRunBbq } from './run-command.ts';
import { addScoreBbq } from './score.ts';

export const bbqCommands: WingCommands = {
  name: 'bbq',
  run: addRunBbq,
  results(program) {
    addScoreBbq(commandGroup(program, 'score'));
    addCombineBbq(commandGroup(program, 'combine'));
    addAggregateBbq(commandGroup(program, 'aggregate'));
    addPipelineBbq(commandGroup(program, 'pipeline'));
  },
  data: addExperimentCommand,
};
