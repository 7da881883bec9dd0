/** `scale validate`. */
import { validateScale } from '../../scale/index.ts';
import { tellFindings } from '../findings.ts';

export async function validate(targets: readonly string[], flags: { json?: boolean }): Promise<void> {
  await tellFindings(targets, (target) => validateScale(target), flags);
}
