/**
 * `npm run test:sanitize`: the crates' tests under the address sanitizer, which finds what unsafe code reads and writes
 * beside its memory, on every SIMD level of this machine. Needs Linux or macOS and a Rust toolchain that carries the
 * sanitizer's runtime, which rustup's do. Builds into a folder of its own.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const version = spawnSync('rustc', ['-vV'], { encoding: 'utf8' });
const [, host] = /^host: (.+)$/m.exec(version.stdout ?? '') ?? [];
if (host === undefined) {
  console.error('rustc is not there; install Rust from https://rustup.rs');
  process.exit(1);
}
const env = {
  ...process.env,
  // Sanitizers are options of the nightly compiler; the released one has them behind this switch.
  RUSTC_BOOTSTRAP: '1',
  RUSTFLAGS: '-Zsanitizer=address',
  CARGO_TARGET_DIR: `${root}target/sanitize`,
};
// A target that is named keeps build scripts and macros, which cannot be linked so, out of it; examples in docs too.
const args = [
  'test',
  '--locked',
  '-p',
  'metrics',
  '-p',
  'metrics-ffi',
  '-p',
  'vectors',
  '--lib',
  '--tests',
  '--target',
  host,
];
process.exitCode = spawnSync('cargo', args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
