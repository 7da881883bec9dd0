/**
 * The metrics addon with its baselines: built from the same crates with the cargo feature `bench`, into build/bench,
 * so that what is compared runs in one process and comes from one compiler, and nothing of it is shipped.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import type { MetricsAddon } from '../src/native/metrics.ts';

const require = createRequire(import.meta.url);

/** What crates/metrics-node/src/bench.rs adds. */
export interface Baselines {
  benchRead(memory: Float32Array, threads: number): number;
  benchScalarRows(logits: Float32Array, vocab: number, ids: Int32Array, target: number): number;
  benchScalarPairs(a: Float32Array, b: Float32Array, vocab: number): number;
}

/** Builds what has changed, and loads it. */
export function benchAddon(root: string): MetricsAddon & Baselines {
  const napi = path.join(path.dirname(require.resolve('@napi-rs/cli/package.json')), 'dist', 'cli.js');
  const out = path.join('build', 'bench');
  const args = ['--release', '--features', 'bench', '--output-dir', out, '--no-js', '--dts', 'metrics.d.ts'];
  const where = ['--manifest-path', path.join('crates', 'metrics-node', 'Cargo.toml')];
  const built = spawnSync(
    process.execPath,
    [napi, 'build', ...where, '--package-json-path', 'package.json', ...args, '--', '--locked'],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (built.status !== 0) throw new Error('the bench addon could not be built; the reason is above');
  return require(path.join(root, out, 'metrics.node')) as MetricsAddon & Baselines;
}
