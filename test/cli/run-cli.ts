/** Runs the built command line as a user does: a process of its own, in a folder of its own. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliFolder {
  readonly path: string;
  /** Writes a file into the folder. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Runs `logit-audit` with these arguments in the folder. */
  run(...args: readonly string[]): Promise<CliResult>;
}

/** A temporary folder for the tests of one file, removed after the last. */
export function cliFolder(): CliFolder {
  let path = '';
  beforeAll(async () => {
    if (!existsSync(MAIN)) throw new Error('dist/ is not built: run npx tsc -p tsconfig.build.json');
    path = await mkdtemp(join(tmpdir(), 'cli-'));
  });
  afterAll(() => rm(path, { recursive: true }));
  return {
    get path() {
      return path;
    },
    write: (name, content) => writeFile(join(path, name), content),
    run: (...args) => runCli(args, path),
  };
}

function runCli(args: readonly string[], cwd: string): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    // No colours and no progress bar, whatever the terminal of whoever runs the tests.
    const child = spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
