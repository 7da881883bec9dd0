/** `lexicon validate`. */
import { validateLexicon } from '../../lexicon/index.ts';
import { tellFindings } from '../../shell/findings.ts';

export async function validate(targets: readonly string[], flags: { json?: boolean }): Promise<void> {
  await tellFindings(targets, (target) => validateLexicon(target), flags);
}
