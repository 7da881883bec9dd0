/** Files that a command writes: none of them may take the place of one that it reads. */
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AuditError } from '../errors.ts';

/** Throws `bad_argument` where `output`, given with `flag`, is one of the files that the command reads. */
export function checkNotInput(
  flag: string,
  output: string | undefined,
  inputs: readonly (string | undefined)[],
): void {
  if (output === undefined) return;
  const input = inputs.find((path) => path !== undefined && real(path) === real(output));
  if (input === undefined) return;
  throw new AuditError('bad_argument', `${flag} ${output} would overwrite an input; give another path`, {
    file: output,
  });
}

/** Throws `output_exists` where there is something at `output`, unless `force` is given. */
export function checkFree(output: string | undefined, force: boolean): void {
  if (output === undefined || force || !existsSync(output)) return;
  const message = `${output} is already there; give another path, or --force to replace it`;
  throw new AuditError('output_exists', message, { file: output });
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
