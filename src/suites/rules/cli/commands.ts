/** Every command of rule moderation. */
import { commandGroup } from '../../../shell/groups.ts';
import type { WingCommands } from '../../../shell/wing.ts';
import { addRetrievalCommand } from './retrieval/command.ts';
import { addRunRules } from './run-command.ts';
import { addScoreRules } from './score.ts';

export const rulesCommands: WingCommands = {
  name: 'rules',
  run: addRunRules,
  results(program) {
    addScoreRules(commandGroup(program, 'score'));
  },
  data: addRetrievalCommand,
};
