/** Runs the built command as a user does: a process of its own, in a folder of its own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly group?: boolean;
  /** What `onStart` gives sends; SIGINT unless said. */
  readonly signal?: NodeJS.Signals;
  /** Address space of each process in KiB, where there is a `ulimit` for it: Linux. */
  readonly memoryKiB?: number;
  /** The built program, unless it is this checkout's. */
  readonly main?: string;
  readonly onStart?: (kill: () => void) => void;
}

/**
 * `onStart` gets the running process, to interrupt it: with `group` as a terminal does, which interrupts every
 * process that belongs to the command. Colours are off and stdin is closed.
 */
export function runCli(
  args: readonly string[],
  { cwd, env = {}, group = false, signal = 'SIGINT', memoryKiB, main = MAIN, onStart }: CliOptions,
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const command = [process.execPath, main, ...args];
    const limited = ['sh', '-c', `ulimit -v ${memoryKiB}; exec "$@"`, 'sh', ...command];
    const [program, ...rest] = memoryKiB === undefined ? command : limited;
    const child = spawn(program!, rest, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', XDG_CACHE_HOME: cwd, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: group,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    onStart?.(() => process.kill(group ? -child.pid! : child.pid!, signal));
  });
}
