/**
 * The only place that loads native addons. Both are built by native/build.mjs into build/, beside the package's
 * own folders, so the same relative path holds for src/ and for dist/.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AuditError } from '../errors.ts';

const require = createRequire(import.meta.url);

function buildFile(name: string): string {
  return fileURLToPath(new URL(`../../build/${name}`, import.meta.url));
}

/** Loads build/<name>.node. Throws `addon_missing` where it was not built or cannot be loaded. */
export function loadAddon(name: 'metrics' | 'engine'): unknown {
  const file = buildFile(`${name}.node`);
  if (!existsSync(file)) {
    throw new AuditError(
      'addon_missing',
      `the native addon build/${name}.node is not there; run "npm run build" in the package's folder`,
      { addon: name },
    );
  }
  try {
    return require(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AuditError(
      'addon_missing',
      `the native addon build/${name}.node cannot be loaded (${reason}); run "npm run build" again on this machine`,
      { addon: name },
      { cause },
    );
  }
}

/** What native/build.mjs noted of its last run. */
export interface BuildInfo {
  readonly device: string;
  readonly llama: { readonly version: string; readonly crate: string };
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
}

/** The note of the last native build, or null where there is none. */
export function readBuildInfo(): BuildInfo | null {
  const file = buildFile('build-info.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BuildInfo) : null;
}

/** The licence text of the llama.cpp that was built in, or null where its source is not laid out. */
export function readLlamaLicence(): string | null {
  const file = fileURLToPath(new URL('../../native/vendor/llama.cpp/LICENSE', import.meta.url));
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
