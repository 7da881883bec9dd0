/** The two ways of going from texts to tables: this program's, and the original's. */
import { failure } from './answer.ts';
import { pandasCell, pythonLayout } from './compat/layout.ts';
import type { IngestRules } from './ingest.ts';
import { type Layout, OWN_LAYOUT } from './layout.ts';
import { answerReader, originalReader } from './read-answer.ts';
import type { Side } from './sides.ts';

export interface ModeOptions {
  /** As the original does it, quirks included. */
  readonly compat?: boolean | undefined;
  /** Light repairs of JSON; done unless said, and never by the original. */
  readonly repair?: boolean | undefined;
}

export function layoutOf({ compat = false }: ModeOptions): Layout {
  return compat ? pythonLayout : OWN_LAYOUT;
}

/** What cells of the participants' file say. */
export function participantCell({ compat = false }: ModeOptions): (text: string) => string {
  return compat ? pandasCell : (text) => text;
}

export function rulesOf(sides: readonly Side[], { compat = false, repair }: ModeOptions): IngestRules {
  return compat ? originalRules(sides) : ownRules(sides, repair);
}

function ownRules(sides: readonly Side[], repair: boolean | undefined): IngestRules {
  return {
    read: answerReader(sides, { repair }),
    cell: (text) => text,
    badCaseId: (problem) => failure('bad_caseid', problem),
    refusesDuplicates: true,
    keepsSpaces: false,
    provider: null,
  };
}

/** No repairs, every row counts, and errors are called as Python calls them. */
function originalRules(sides: readonly Side[]): IngestRules {
  return {
    read: originalReader(sides),
    cell: pandasCell,
    badCaseId: (problem) => ({ kind: 'bad_caseid', type: 'ValueError', message: problem }),
    refusesDuplicates: false,
    keepsSpaces: true,
    provider: 'vllm',
  };
}
