/** Experiments and their axes in words: one line of an experiment, and the table of keys under the help. */
import {
  AXES,
  AXIS_KEYS,
  type Axis,
  axisValues,
  defaultOf,
  type Experiment,
  valuesOf,
} from '../../experiment/index.ts';

/** `image aug, vo false, token gray`: the axes that are not the default, and always the token. */
export function describeAxes(experiment: Experiment): string {
  const values = axisValues(experiment);
  return AXIS_KEYS.filter((key) => key === 'token' || values[key] !== defaultOf(key, experiment.name))
    .map((key) => `${key} ${values[key]}`)
    .join(', ');
}

/** The keys with what they may be, two lines each. */
export function axesHelp(): string {
  const width = Math.max(...AXIS_KEYS.map((key) => key.length)) + 2;
  return AXIS_KEYS.map((key) => {
    const { meaning } = AXES[key];
    return `  ${key.padEnd(width)}${choices(AXES[key])}\n  ${' '.repeat(width)}${meaning}`;
  }).join('\n');
}

/** `masked (default), unmasked` */
export function choices(axis: Axis): string {
  if (axis.kind === 'name') return `${axis.wanted} (default: the name of the experiment)`;
  return valuesOf(axis)
    .map((value) => (value === String(axis.default) ? `${value} (default)` : value))
    .join(', ');
}
