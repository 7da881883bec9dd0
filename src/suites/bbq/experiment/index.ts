/** Public API of this folder: experiments as data. */

export { AXES, AXIS_KEYS, type Axis, defaultOf, meaningOf, valuesOf } from './axes.ts';
export {
  type AxisSettings,
  createExperiment,
  deleteExperiment,
  type ExperimentChanges,
  type ExperimentContent,
  type SavedExperiment,
  updateExperiment,
} from './change.ts';
export { axisValues, type Experiment } from './experiment.ts';
export { ownTablePath } from './locate.ts';
export { type ListedExperiment, listExperiments, resolveExperiment, shippedExperiments } from './table.ts';
export { neededAtRun, resultToken, tokenPattern } from './token.ts';
export { defaultTable, validateExperiments } from './validate.ts';
