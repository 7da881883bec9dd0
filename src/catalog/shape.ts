/**
 * What a schema finds in a file, as people read it: the path where it stands, what is wrong there and what to give. An
 * unknown key names itself and the keys that there are.
 */
import type { z } from 'zod';

/** A fault and where it stands: keys and indices from the root. */
export interface ShapeFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Path = readonly (string | number)[];

/**
 * The issues of a schema as faults. `raw` is what was checked, `kind` what the file is ("a scale"), `keysAt` the keys that
 * an unknown one at a path is reported.
 */
export function shapeFaults(
  issues: readonly z.core.$ZodIssue[],
  raw: unknown,
  kind: string,
  keysAt: (path: Path) => readonly string[],
): ShapeFault[] {
  return issues.map((issue) => toFault(issue, raw, kind, keysAt));
}

function toFault(
  issue: z.core.$ZodIssue,
  raw: unknown,
  kind: string,
  keysAt: (path: Path) => readonly string[],
): ShapeFault {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => `"${key}"`).join(', ');
    const plural = issue.keys.length > 1 ? 'are not keys' : 'is not a key';
    const where = path.length === 0 ? kind : `${formatPath(path)}`;
    return {
      path: [...path, issue.keys[0] ?? ''],
      message: `${unknown} ${plural} of ${where}; the keys here are ${keysAt(path).join(', ')}`,
    };
  }
  const key = path.length === 0 ? 'the file' : formatPath(path);
  if (issue.code === 'invalid_key') {
    return { path, message: `${key} ${issue.issues[0]?.message ?? 'is not a valid key'}` };
  }
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    const wanted = WANTED[issue.expected] ?? issue.expected;
    const what = valueAt(raw, path) === undefined ? 'is missing' : 'is of the wrong kind';
    return { path, message: `${key} ${what}; give ${wanted}` };
  }
  return { path, message: `${key} ${issue.message}` };
}

const WANTED: Readonly<Record<string, string>> = {
  string: 'text',
  record: 'keys with values',
  object: 'keys with values',
  array: 'a list',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** `groups.female[2]` */
export function formatPath(path: Path): string {
  return path.reduce<string>(
    (all, step) => (typeof step === 'number' ? `${all}[${step}]` : all === '' ? step : `${all}.${step}`),
    '',
  );
}

/** What stands at a path of plain values; undefined where there is nothing. */
export function valueAt(raw: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Record<string | number, unknown>)[step]
        : undefined,
    raw,
  );
}
