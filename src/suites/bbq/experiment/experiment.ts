/** What an experiment is once resolved: every axis with its value, and where its row came from. */
import type { AxisValues } from './axes.ts';

/** One row of the table, complete. `docs/extending.md` says what each axis means. */
export interface Experiment
  extends Omit<AxisValues, 'text_only' | 'strip_image_ref'>,
    Readonly<Record<'textOnly' | 'stripImageRef', boolean>> {
  readonly name: string;
  /** What it is for; null where its author does not say. */
  readonly description: string | null;
  readonly source: ExperimentSource;
}

/** `shipped` with the package, or `yours`: a row of the table in the working folder. */
export type ExperimentSource = 'shipped' | 'yours';

export function toExperiment(
  name: string,
  description: string | null,
  { text_only: textOnly, strip_image_ref: stripImageRef, ...same }: AxisValues,
  source: ExperimentSource,
): Experiment {
  return { name, description, ...same, textOnly, stripImageRef, source };
}

/** The axes by the keys of the files. */
export function axisValues(experiment: Experiment): AxisValues {
  const { name: _n, description: _d, source: _s, textOnly, stripImageRef, ...same } = experiment;
  return { ...same, text_only: textOnly, strip_image_ref: stripImageRef };
}
