/** Several runs scored together: all of them on the same draws of the same pairs. */
import path from 'node:path';
import { type Row, writeCsv, writeJson } from '../../../report/index.ts';
import { type IngestParser, ingestReasoning } from './ingest.ts';
import { type IntervalRequest, pairOrder, runIntervals } from './intervals.ts';
import { type PerformanceMetrics, performanceMetrics } from './performance.ts';
import { tallyPairs } from './tally.ts';
import { TIDY_COLUMNS, tidyRows } from './tidy.ts';

export interface ScoredRun {
  /** As the file was given. */
  readonly run: string;
  readonly metrics: PerformanceMetrics;
  /** Pairs of the other runs that it lacks. */
  readonly missingPairs: number;
  readonly otherScores: number;
}

export interface ScoredRuns {
  readonly parser: IngestParser;
  readonly runs: readonly ScoredRun[];
  readonly rows: readonly Row[];
}

/** Scores result files of rule moderation anew. */
export async function scoreReasoning(
  files: readonly string[],
  parser: IngestParser,
  intervals: IntervalRequest,
): Promise<ScoredRuns> {
  const ingested = [];
  for (const file of files) ingested.push({ file, ...(await ingestReasoning(file, parser)) });
  const order = pairOrder(ingested.map(({ outcomes }) => outcomes));
  const runs: ScoredRun[] = [];
  const rows: Row[] = [];
  for (const { file, outcomes, otherScores } of ingested) {
    const tallies = tallyPairs(outcomes);
    const found = await runIntervals(outcomes, order, intervals);
    runs.push({
      run: file,
      metrics: performanceMetrics(tallies, found, intervals),
      missingPairs: order.length - outcomes.length,
      otherScores,
    });
    rows.push(...tidyRows(file, tallies, found));
  }
  return { parser, runs, rows };
}

export interface WrittenScores {
  readonly performance: string;
  readonly tidy: string;
}

export function scoreFiles(folder: string): WrittenScores {
  return { performance: path.join(folder, 'performance.json'), tidy: path.join(folder, 'metrics.csv') };
}

export async function writeScores({ parser, runs, rows }: ScoredRuns, files: WrittenScores): Promise<void> {
  await writeCsv(
    files.tidy,
    TIDY_COLUMNS.map((key) => ({ key })),
    rows,
  );
  await writeJson(files.performance, { parser, runs });
}
