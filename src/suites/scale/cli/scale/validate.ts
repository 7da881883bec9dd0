/** `scale validate`. */

import { tellFindings } from '../../../../shell/findings.ts';
import { validateScale } from '../../data/index.ts';

export async function validate(targets: readonly string[], flags: { json?: boolean }): Promise<void> {
  await tellFindings(targets, (target) => validateScale(target), flags);
}
