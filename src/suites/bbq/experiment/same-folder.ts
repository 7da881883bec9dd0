/** Experiments whose results would lie in one folder, where one run could take those of another for its own. */
import type { Experiment } from './experiment.ts';
import { neededAtRun } from './token.ts';

/**
 * What to say of `experiment` beside `others`, its own name passed over; null if its token is its own. What a run is given
 * and puts in the place of the token is for the run to keep apart.
 */
export function sameFolderWarning(experiment: Experiment, others: readonly Experiment[]): string | null {
  const { name, token } = experiment;
  if (neededAtRun(experiment).length > 0) return null;
  const sharing = others.filter(
    (other) => other.name !== name && other.token === token && neededAtRun(other).length === 0,
  );
  if (sharing.length === 0) return null;
  const names = sharing.map((other) => other.name).join(', ');
  return `${name}: its results go by the token ${token}, as those of ${names}; give it a token of its own`;
}
