/** The face of this room: a run from data to files, and what it tells on the way. */
export {
  type ClusterInfo,
  figuresOf,
  type IntervalOptions,
  type MetricValue,
} from './accumulate/index.ts';
export { type AdministerOptions, type AdministerResult, administer } from './administer/run.ts';
export type { Figure } from './administer/statistics.ts';
export type { AggregatedMetric, SliceSummary } from './aggregate.ts';
export type { CellChoice } from './bbq/cells.ts';
export { type BbqPlan, type BbqRunOptions, type BbqRunResult, planBbq, runBbq } from './bbq/run.ts';
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
export { checkData, checkDataFiles } from './data.ts';
export { type MetricsFile, metricsFile } from './derive.ts';
export { checkFolderIsFree, type PanelFolder, type RunFolder, runFolder, runId } from './folder.ts';
export { hashFiles } from './hash.ts';
export { type JournalEntry, readJournal } from './journal.ts';
export { type Manifest, packageVersion } from './manifest.ts';
export { clusterCells } from './metric-cells.ts';
export { readOccupations } from './occupations.ts';
export type { PanelOutcome, PartStatus } from './panel/outcome.ts';
export { type PanelFile, type PanelResult, runPanel } from './panel/panel.ts';
export { checkPanel, checkPanelData, type PanelOptions, type PanelPart } from './panel/prepare.ts';
export { PANEL_COLUMNS, type PanelRow, panelCells, panelNotes, panelSections } from './panel/summary.ts';
export type { RunOptions } from './prepare.ts';
export type { Progress } from './progress.ts';
export type { RulesRag, RulesRunOptions } from './rules/options.ts';
export { planRules, type RulesPlan } from './rules/plan.ts';
export { prepareRag, type RagChoice } from './rules/rag.ts';
export { type RulesRunResult, runRules } from './rules/run.ts';
export { RAG_VOTE, ragVoteModel } from './rules/vote.ts';
export { type RunResult, runSuite } from './run.ts';
export { partOfData, type SampleChoice, type SampleDescription } from './sample.ts';
export { planScale, type ScalePlan, type ScalePlanOptions } from './scale/plan.ts';
export { checkScaleFolder, runScale, type ScaleRunOptions, type ScaleRunResult } from './scale/run.ts';
