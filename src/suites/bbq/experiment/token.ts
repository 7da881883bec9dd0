/** The part of a result folder's name that an experiment gives; some of it is known only when a run starts. */

import { PLAIN_NAME } from '../../../catalog/index.ts';
import { AuditError } from '../../../errors.ts';
import type { Experiment } from './experiment.ts';

/** What a run may be given that becomes part of the token. */
export interface RunTimeValues {
  /** Sampling temperature, 0 or above. */
  readonly temperature?: number | undefined;
  /** How the model is asked to reason, as a name of letters, digits, _ and -. */
  readonly reasoningMode?: string | undefined;
  /** What was done to the images, as a name of letters, digits, _ and -. */
  readonly augmentation?: string | undefined;
}

/** What a run of the experiment must be given, in the order in which the token has it. */
export function neededAtRun({ image, mode, retry }: Experiment): readonly (keyof RunTimeValues)[] {
  return [
    ...(image === 'aug' ? (['augmentation'] as const) : []),
    ...(mode === 'temp' ? (['temperature'] as const) : []),
    ...(retry ? (['reasoningMode'] as const) : []),
  ];
}

const PLACES = {
  augmentation: '<augmentation>',
  temperature: 'temp_<temperature>',
  reasoningMode: '<reasoning mode>',
} as const;

/** The token as far as it is known without a run: `main`, `temp_<temperature>`. */
export function tokenPattern(experiment: Experiment): string {
  const parts = neededAtRun(experiment).map((what) => PLACES[what]);
  return parts.length === 0 ? experiment.token : parts.join('_');
}

/**
 * The token of the experiment's results: its own, or instead of it the augmentation where images are changed,
 * `temp_0.7` where answers are sampled, the reasoning mode where answers are retried; several of these are joined by `_`.
 * Throws `bad_argument` where one is needed and missing, or is no name for a folder.
 */
export function resultToken(experiment: Experiment, given: RunTimeValues = {}): string {
  const parts = neededAtRun(experiment).map((what) => {
    const value = given[what];
    if (value === undefined) throw missing(experiment, what);
    return typeof value === 'number' ? temperaturePart(value) : namePart(what, value);
  });
  return parts.length === 0 ? experiment.token : parts.join('_');
}

const WHY = {
  augmentation: ['image is aug', 'an augmentation'],
  temperature: ['mode is temp', 'a temperature'],
  reasoningMode: ['retry is true', 'a reasoning mode'],
} as const;

function missing({ name }: Experiment, what: keyof RunTimeValues): AuditError {
  const [because, needed] = WHY[what];
  const message = `experiment ${name} needs ${needed}, since its ${because}; give ${what}`;
  return new AuditError('bad_argument', message, { experiment: name, key: what });
}

function temperaturePart(value: number): string {
  if (Number.isFinite(value) && value >= 0) return `temp_${value}`;
  throw new AuditError('bad_argument', `temperature is ${value}; give a number from 0`, {
    key: 'temperature',
  });
}

function namePart(what: keyof RunTimeValues, value: string): string {
  if (PLAIN_NAME.test(value)) return value;
  const message = `${what} is ${JSON.stringify(value)}, but names a folder; use letters, digits, _ and -`;
  throw new AuditError('bad_argument', message, { key: what });
}
