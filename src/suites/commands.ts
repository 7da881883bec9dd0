/** The commands that wings bring, a line each. A suite without commands of its own needs none here. */
import type { WingCommands } from '../shell/wing.ts';
import { bbqCommands } from './bbq/cli/commands.ts';
import { rulesCommands } from './rules/cli/commands.ts';
import { scaleCommands } from './scale/cli/commands.ts';

export const WINGS: readonly WingCommands[] = [bbqCommands, scaleCommands, rulesCommands];
