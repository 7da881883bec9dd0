#!/usr/bin/env node
/** The command line: what commands.ts lists, run, and each ends here. */
import { CommanderError } from 'commander';
import { writeError } from '../files/atomic.ts';
import { endWithReader } from '../report/terminal.ts';
import { EXIT, reportFault } from '../shell/exit.ts';
import { createProgram } from './commands.ts';

// A file that grows beyond `ulimit -f` is an error of its write, and no end of the process.
if (process.platform !== 'win32') process.on('SIGXFSZ' as NodeJS.Signals, () => undefined);

const program = createProgram();

endWithReader(EXIT.ok, (fault) => {
  reportFault(writeError('standard output', fault), { json: false });
  process.exit();
});
// What no command caught: a message with a stack, through the same door.
process.on('uncaughtException', (thrown) => {
  reportFault(thrown, { json: false });
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // commander has printed the fault; help and version are no faults.
  process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.input;
}
