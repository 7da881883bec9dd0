export type {
  ClusterInfo,
  IntervalOptions,
  MetricValue,
} from './accumulate/index.ts';
export type { AggregatedMetric, SliceSummary } from './aggregate.ts';
export {
  type ComparedPair,
  type CompareOptions,
  type CompareResult,
  type CompareRunsOptions,
  type Comparison,
  compareAll,
  compareRuns,
} from './compare/compare.ts';
export type { DistanceDifference } from './compare/distance.ts';
export { EFFECTS, type EffectSize, type Effects } from './compare/effects.ts';
export type { Better, Margin, WithinMargin } from './compare/margin.ts';
export { type MetricsFile, metricsFile } from './derive.ts';
export { checkFolderIsFree, type PanelFolder, type RunFolder, runFolder, runId } from './folder.ts';
export { hashFiles } from './hash.ts';
export { type JournalEntry, readJournal } from './journal.ts';
export { type Manifest, packageVersion } from './manifest.ts';
export { clusterCells } from './metric-cells.ts';
export { readOccupations } from './occupations.ts';
export { type PanelFile, type PanelResult, runPanel, runPanelPlan } from './panel/panel.ts';
export { type PanelFilePart, readPanelFile } from './panel/panel-file.ts';
export type { PanelOutcome, PartStatus } from './panel/plan.ts';
export {
  checkPanelUsable,
  type PanelOptions,
  type PanelPart,
  type PanelPlan,
  planPanel,
} from './panel/plan.ts';
export { PANEL_COLUMNS, type PanelRow, panelCells, panelNotes, panelSections } from './panel/summary.ts';
export type { Progress } from './pipeline.ts';
export { checkUsable, type PlanOptions, planRun, type RunPlan } from './plan.ts';
export type { RunModel, RunOptions } from './prepare.ts';
export { type RunResult, runPlan, runSuite } from './run.ts';
export { partOfData, type SampleChoice, type SampleDescription } from './sample.ts';
export { type FindSuite, openRun, type StoredRun } from './stored.ts';
