/** The face of this room: experiments as data. */
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
export { axisValues, type Experiment, type ExperimentSource } from './experiment.ts';
export { type ExperimentFolder, ownTablePath } from './locate.ts';
export { type PanelFilePart, readPanelFile } from './panel-file.ts';
export { type ListedExperiment, listExperiments, resolveExperiment, shippedExperiments } from './table.ts';
export { neededAtRun, type RunTimeValues, resultToken } from './token.ts';
