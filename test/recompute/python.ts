/** The program that recomputes: a Python with NumPy and SciPy, where there is one. */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('check.py', import.meta.url));
const MEGABYTE = 2 ** 20;

export interface Difference {
  readonly at: string;
  readonly product: unknown;
  readonly recomputed: unknown;
}

export interface Checked {
  readonly path: string;
  /** Numbers, or entries of them, that were held against each other. */
  readonly checked: number;
  readonly differences: readonly Difference[];
}

/** Every difference as a line. */
export function told(found: readonly Checked[]): string[] {
  return found.flatMap(({ path, differences }) =>
    differences.map(
      ({ at, product, recomputed }) =>
        `${path}: ${at}: ${JSON.stringify(product)} and ${JSON.stringify(recomputed)}`,
    ),
  );
}

/** LOGIT_AUDIT_PYTHON, or python3; null, and a loud line, where it lacks what is needed. */
export const PYTHON = findPython();

function findPython(): string | null {
  const named = process.env.LOGIT_AUDIT_PYTHON;
  const python = named || 'python3';
  const { status, stderr, error } = spawnSync(python, ['-c', 'import numpy, scipy'], { encoding: 'utf8' });
  if (status === 0) return python;
  const why = error?.message ?? stderr.trim().split('\n').at(-1);
  // What was named must do: a test that is skipped in CI without anybody's notice is none.
  if (named) throw new Error(`LOGIT_AUDIT_PYTHON is ${named}, which does not import numpy and scipy: ${why}`);
  console.warn(
    `SKIPPED: numbers are not recomputed, ${python} does not import numpy and scipy (${why}); name one by LOGIT_AUDIT_PYTHON`,
  );
  return null;
}

/** What the program says of these folders, or of one comparison: `['--compare', a, b, file]`. */
export function recompute(args: readonly string[]): Checked[] {
  try {
    return JSON.parse(run(args));
  } catch (thrown) {
    // Exit code 1: there are differences, and they are printed.
    const { status, stdout } = thrown as { status?: number; stdout?: string };
    if (status === 1 && stdout) return JSON.parse(stdout);
    throw thrown;
  }
}

function run(args: readonly string[]): string {
  return execFileSync(PYTHON!, [PROGRAM, ...args], {
    encoding: 'utf8',
    maxBuffer: 256 * MEGABYTE,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
  });
}
