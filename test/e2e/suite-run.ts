/** A suite run over data that a test gives as text, and what came of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEngine, type EngineOptions, openModel } from '../../src/model/index.ts';
import { type RunOptions, type RunResult, runSuite } from '../../src/run/index.ts';
import { temporaryFolder } from '../temporary.ts';

export interface SuiteRun {
  readonly result: RunResult;
  /** rows.jsonl. */
  readonly rows: readonly Record<string, unknown>[];
  /** The `metrics` of metrics.json: parsed, so of any type. */
  readonly metrics: ReturnType<typeof JSON.parse>;
}

/** Every text alone and the same bits in any order: what holds against an oracle. */
const EXACT: EngineOptions = { mode: 'exact' };

/** `data` is a path, or the name of a file and its text. */
export async function runOn(
  model: string,
  suite: string,
  data: string | { readonly name: string; readonly text: string },
  more: Partial<RunOptions> & { readonly model?: EngineOptions } = {},
): Promise<SuiteRun> {
  const { model: given, ...options } = more;
  const folder = temporaryFolder();
  const path = typeof data === 'string' ? data : join(folder, data.name);
  if (typeof data !== 'string') writeFileSync(path, data.text);
  const engine = { ...EXACT, ...given };
  await using backend = await openModel(model, engine);
  const result = await runSuite({
    suite,
    backend,
    engine: describeEngine(engine),
    data: path,
    out: join(folder, 'run'),
    ...options,
  });
  const rows = readFileSync(result.folder.journal, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { result, rows, metrics: JSON.parse(readFileSync(result.folder.metrics, 'utf8')).metrics };
}

export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
