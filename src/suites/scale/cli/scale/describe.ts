/** A scale in a line. */
import type { Scale } from '../../data/index.ts';

/** `group 6-30, interpersonal 6-30`, those that a model is not asked for in brackets. */
export function describeSubscales({ subscales, asked }: Scale): string {
  return Object.values(subscales)
    .map(({ name, min, max }) => {
      const text = `${name} ${min}-${max}`;
      return asked.includes(name) ? text : `(${text})`;
    })
    .join(', ');
}
