/** The commands over MultiBBQ's result files, each in its group. */
import type { Command } from 'commander';
import { commandGroup } from '../../../shell/groups.ts';
import { addAggregateBbq } from './aggregate.ts';
import { addCombineBbq } from './combine.ts';
import { addPipelineBbq } from './pipeline.ts';
import { addScoreBbq } from './score.ts';

export function addBbqCommands(program: Command): void {
  addScoreBbq(commandGroup(program, 'score'));
  addCombineBbq(commandGroup(program, 'combine'));
  addAggregateBbq(commandGroup(program, 'aggregate'));
  addPipelineBbq(commandGroup(program, 'pipeline'));
}
