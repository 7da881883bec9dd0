/**
 * Where the child's program lies. A child is plain Node and runs what was built: beside this file in dist/, and in
 * dist/ too when this file runs from src/ (tests).
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AuditError } from '../../errors.ts';

/** Path of the built main.ts. Throws `addon_missing` where it was not built. */
export function workerEntry(): string {
  const fromSource = import.meta.url.endsWith('.ts');
  const relative = fromSource ? '../../../dist/native/worker/main.js' : './main.js';
  const entry = fileURLToPath(new URL(relative, import.meta.url));
  if (!existsSync(entry)) {
    throw new AuditError(
      'addon_missing',
      `the engine's process dist/native/worker/main.js is not there; run "npm run build" in the package's folder`,
      { addon: 'engine' },
    );
  }
  return entry;
}
