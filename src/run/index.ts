export type { ClusterInfo, IntervalOptions } from './accumulate/index.ts';
export type { SliceSummary } from './aggregate.ts';
export {
  type ComparedPair,
  type CompareOptions,
  type CompareResult,
  type CompareRunsOptions,
  type Comparison,
  compareAll,
  compareRuns,
} from './compare/compare.ts';
export { EFFECTS, type EffectSize } from './compare/effects.ts';
export type { Better, Margin } from './compare/margin.ts';
export { checkFolderIsFree, type RunFolder, runId } from './folder.ts';
export { hashFiles } from './hash.ts';
export { readJournal } from './journal.ts';
export { type Manifest, packageVersion } from './manifest.ts';
export { clusterCells } from './metric-cells.ts';
export { readOccupations } from './occupations.ts';
export { type PanelFile, type PanelResult, runPanel, runPanelPlan } from './panel/panel.ts';
export { type PanelFilePart, readPanelFile } from './panel/panel-file.ts';
export {
  checkPanelUsable,
  type PanelOptions,
  type PanelPart,
  type PanelPlan,
  planPanel,
} from './panel/plan.ts';
export { PANEL_COLUMNS, panelCells, panelNotes, panelSections } from './panel/summary.ts';
export type { Progress } from './pipeline.ts';
export { checkUsable, type PlanOptions, planRun, type RunPlan } from './plan.ts';
export type { RunModel, RunOptions } from './prepare.ts';
export { type RunResult, runPlan, runSuite } from './run.ts';
export { partOfData, type SampleChoice } from './sample.ts';
export { openRun, type StoredRun } from './stored.ts';
