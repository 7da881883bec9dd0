/** The face of this room: a run from data to files, and what it tells on the way. */
export {
  figuresOf,
  type IntervalOptions,
  type MetricValue,
} from './accumulate/index.ts';
export type { AggregatedMetric, SliceSummary } from './aggregate.ts';
export { type MetricsFile, metricsFile } from './derive.ts';
export { checkFolderIsFree, type RunFolder, runFolder } from './folder.ts';
export { type JournalEntry, readJournal } from './journal.ts';
export { type Manifest, packageVersion } from './manifest.ts';
export type { Progress } from './progress.ts';
export { datasetOptions, type RunOptions, type RunResult, runSuite } from './run.ts';
