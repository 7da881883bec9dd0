/** A suite run from end to end on a model file, and what its rows and metrics say. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEngine, type ModelOptions, openModel } from '../../src/model/index.ts';
import { metricJson } from '../../src/run/accumulate/index.ts';
import { type RunOptions, type RunResult, runSuite } from '../../src/run/index.ts';
import { temporaryFolder } from '../temporary.ts';

/** A line of rows.jsonl. */
export type JournalRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string };

export interface Ran {
  readonly result: RunResult;
  readonly rows: readonly JournalRow[];
  /** A metric over all rows as metrics.json has it, by its name. */
  metric(name: string): Readonly<Record<string, unknown>>;
}

/** Every text alone and the same bits in any order: what holds against an oracle. */
export const EXACT: ModelOptions = { mode: 'exact' };

export async function runOn(
  model: string,
  options: Omit<RunOptions, 'backend' | 'engine'>,
  engine: ModelOptions = {},
): Promise<Ran> {
  await using backend = await openModel(model, engine);
  const result = await runSuite({
    backend,
    engine: describeEngine(engine, backend.info),
    out: join(temporaryFolder(), 'run'),
    ...options,
  });
  const lines = readFileSync(result.folder.journal, 'utf8').trim().split('\n');
  return {
    result,
    rows: lines.map(rowOf),
    metric(name) {
      const found = result.summaries[0]!.metrics.find((metric) => metric.name === name);
      if (!found) throw new Error(`there is no metric ${name}`);
      return { ...metricJson(found.value) };
    },
  };
}

/** A row without its checksum, which depends on the rows before it. */
function rowOf(line: string): JournalRow {
  const { crc32: _, ...row } = JSON.parse(line);
  return row;
}

/** Writes rows as JSON Lines into a folder of the test's own. */
export function jsonlFile(rows: readonly unknown[]): string {
  return textFile('rows.jsonl', jsonLines(rows));
}

export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

export function textFile(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}
