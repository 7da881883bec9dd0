/** Public API of this folder: experiments as data. */

export {
  AXES,
  AXIS_KEYS,
  type Axis,
  type AxisKey,
  type AxisValues,
  allowedValues,
  defaultOf,
  meaningOf,
  valuesOf,
} from './axes.ts';
export {
  type AxisSettings,
  createExperiment,
  type DeletedExperiment,
  deleteExperiment,
  type ExperimentChanges,
  type ExperimentContent,
  type SavedExperiment,
  type UpdatedExperiment,
  updateExperiment,
} from './change.ts';
export { axisValues, type Experiment, type ExperimentSource } from './experiment.ts';
export { type ExperimentFolder, ownTablePath } from './locate.ts';
export { type ListedExperiment, listExperiments, resolveExperiment, shippedExperiments } from './table.ts';
export { neededAtRun, type RunTimeValues, resultToken, tokenPattern } from './token.ts';
export { defaultTable, type ExperimentReport, validateExperiments } from './validate.ts';
