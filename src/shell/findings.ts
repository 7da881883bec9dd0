/** What `validate` commands tell: faults and warnings of any number of files; one that cannot be read keeps none of the others. */

import { describeFault, type PlacedFault } from '../catalog/index.ts';
import { toAuditError } from '../errors.ts';
import { formatCount, formatJson } from '../report/index.ts';
import { print } from '../report/terminal.ts';
import { EXIT } from './exit.ts';

export interface Findings {
  readonly faults: readonly PlacedFault[];
  readonly warnings: readonly PlacedFault[];
}

interface Finding extends Findings {
  readonly target: string;
  readonly valid: boolean;
}

/** Looks each target over with `look` and prints what it finds; the exit code is 2 if anything is wrong. */
export async function tellFindings(
  targets: readonly string[],
  look: (target: string) => Promise<Findings>,
  { json }: { json?: boolean },
): Promise<void> {
  const findings: Finding[] = [];
  for (const target of targets) findings.push(await examine(target, look));
  const text = json ? formatJson(findings) : `${findings.flatMap(describe).join('\n')}\n`;
  print(text);
  if (findings.some(({ valid }) => !valid)) process.exitCode = EXIT.input;
}

async function examine(target: string, look: (target: string) => Promise<Findings>): Promise<Finding> {
  try {
    const { faults, warnings } = await look(target);
    return { target, valid: faults.length === 0, faults, warnings };
  } catch (thrown) {
    const error = toAuditError(thrown);
    if (error.kind !== 'input') throw error;
    const fault: PlacedFault = { file: target, line: null, path: [], message: error.message };
    return { target, valid: false, faults: [fault], warnings: [] };
  }
}

function describe({ target, valid, faults, warnings }: Finding): string[] {
  const counts = [
    ...(faults.length === 0 ? [] : [counted(faults.length, 'fault')]),
    ...(warnings.length === 0 ? [] : [counted(warnings.length, 'warning')]),
  ];
  return [
    `${target}: ${valid ? 'right' : 'NOT RIGHT'}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`,
    ...faults.map((fault) => `  fault: ${describeFault(fault, target)}`),
    ...warnings.map((warning) => `  warning: ${describeFault(warning, target)}`),
  ];
}

function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}
