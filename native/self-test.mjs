/**
 * The last step of a build: the short self-test, so that a compiler or a processor that computes wrongly fails here
 * and not in somebody's audit. In a checkout TypeScript is compiled after the core, and npm's `prepare` runs this again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const command = path.join(root, 'dist', 'cli', 'main.js');

if (existsSync(command)) {
  console.log('[logit-audit build] self-test: a small model in each kind of weights, against float64');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [command, 'doctor', '--self-test', 'short'],
    { encoding: 'utf8' },
  );
  if (status === 0) {
    console.log(`[logit-audit build] ${stdout.trim().split('\n').at(-1)}`);
  } else {
    console.error(`${stdout}${stderr}[logit-audit build] the self-test failed: see the lines above`);
    process.exitCode = 1;
  }
} else {
  console.log('[logit-audit build] the self-test runs once TypeScript is compiled');
}
