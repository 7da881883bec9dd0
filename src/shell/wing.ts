/** What a system of its own (a wing of src/suites/) brings to the command line. */
import type { Command } from 'commander';

export interface WingCommands {
  /** As `run` calls it. */
  readonly name: string;
  /** Its own command of `run`, instead of the one that is made from the table of a suite. */
  run(run: Command): void;
  /** Its commands over results that are there already, each in its group. */
  results(program: Command): void;
  /** Its commands over data of its own. */
  data(program: Command): void;
}
