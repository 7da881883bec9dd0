/** `experiment validate`. */

import { tellFindings } from '../../../../shell/findings.ts';
import { defaultTable, validateExperiments } from '../../experiment/index.ts';

export async function validate(targets: readonly string[], flags: { json?: boolean }): Promise<void> {
  if (targets.length > 0) {
    await tellFindings(targets, (target) => validateExperiments(target), flags);
    return;
  }
  await tellFindings([await defaultTable()], () => validateExperiments(), flags);
}
