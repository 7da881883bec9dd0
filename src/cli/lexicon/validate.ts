/** `lexicon validate`: faults and warnings of any number of lexicons; one that cannot be read keeps none of the others. */
import { toAuditError } from '../../errors.ts';
import { describeFault, type LexiconReport, type PlacedFault, validateLexicon } from '../../lexicon/index.ts';
import { formatCount, formatJson, forTerminal } from '../../report/index.ts';
import { EXIT } from '../exit.ts';

interface Finding extends Pick<LexiconReport, 'faults' | 'warnings'> {
  readonly target: string;
  readonly valid: boolean;
}

export async function validate(targets: readonly string[], { json }: { json?: boolean }): Promise<void> {
  const findings: Finding[] = [];
  for (const target of targets) findings.push(await examine(target));
  const text = json ? formatJson(findings) : `${findings.flatMap(describe).join('\n')}\n`;
  process.stdout.write(forTerminal(text));
  if (findings.some(({ valid }) => !valid)) process.exitCode = EXIT.input;
}

async function examine(target: string): Promise<Finding> {
  try {
    const { lexicon, faults, warnings } = await validateLexicon(target);
    return { target, valid: lexicon !== null, faults, warnings };
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
