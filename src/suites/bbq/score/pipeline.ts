/** The stages by which result files become tables: score, combine, aggregate; each alone, or all as one. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AuditError } from '../../../errors.ts';
import { type Aggregated, type AggregateOptions, aggregate, aggregateOutputs, isTable } from './aggregate.ts';
import { COMBINED, readCombined, writeCombined } from './combined-file.ts';
import { isScoredName, scoredName } from './result-name.ts';
import { type FoundResults, findResults, findScored } from './results.ts';
import { type ScoredFile, scoreFile } from './score-file.ts';
import { readScoredCopy, writeScoredCopy } from './scored-copy.ts';
import { type Scoring, type ScoringOptions, scoringOf } from './scoring.ts';

/** Where a pipeline puts the scored copies. */
export const ANALYSIS = 'analysis';

export interface StageOptions {
  /** Replace what is there. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Scored {
  readonly files: readonly ScoredFile[];
  readonly notes: readonly string[];
  readonly scoring: Scoring;
  /** Whether one file was given, not a folder. */
  readonly single: boolean;
}

/**
 * Scores the result files at `results`, a file or a folder; with `out`, their scored copies go below it. Every file is
 * streamed, and only counts are kept. Throws what finding and scoring files throws, `output_exists`, `cancelled`.
 */
export async function scoreResults(
  results: string,
  out: string | null,
  options: ScoringOptions & StageOptions = {},
): Promise<Scored> {
  const scoring = scoringOf(options);
  const found = findResults(results);
  checkNames(found);
  if (out !== null)
    checkFree(
      out,
      found.files.map(({ name }) => scoredName(name)),
      options,
    );
  const files: ScoredFile[] = [];
  for (const { path, name } of found.files) {
    checkGoing(options.signal);
    const { answers, ...scores } = await scoreFile(path, name, scoring);
    if (out !== null) await writeScoredCopy(join(out, scores.name), path, { answers, ...scores }, scoring);
    files.push(scores);
  }
  return { files, notes: found.notes, scoring, single: found.single };
}

/** Combines the scored copies below `results` into `out`/combined_metrics.json. */
export async function combineResults(
  results: string,
  out: string,
  options: StageOptions & { readonly compat?: boolean | undefined } = {},
): Promise<readonly ScoredFile[]> {
  const found = findScored(results);
  checkFree(out, [COMBINED], options);
  const files: ScoredFile[] = [];
  for (const file of found) {
    checkGoing(options.signal);
    files.push(await readScoredCopy(file));
  }
  await writeCombined(join(out, COMBINED), files, options.compat === true);
  return files;
}

/** Tables in `out` from a combined file, ours or the original's, or from the folder that holds it. */
export async function aggregateResults(
  results: string,
  out: string,
  options: AggregateOptions & StageOptions = {},
): Promise<Aggregated> {
  const inFolder = join(results, COMBINED);
  const files = await readCombined(existsSync(inFolder) ? inFolder : results);
  checkFree(out, aggregateOutputs(options.compat === true), options);
  const aggregated = await aggregate(files, out, options);
  if (options.force) removeStale(out, aggregated.files, isTable);
  return aggregated;
}

/** What is read, where the tables go, and how answers are scored. */
export type PipelineOptions = ScoringOptions & Omit<AggregateOptions, 'compat'> & StageOptions;

/** All stages: scored copies in `out`/analysis, `out`/combined_metrics.json, and the tables. */
export async function runPipeline(
  results: string,
  out: string,
  options: PipelineOptions = {},
): Promise<{ readonly scored: Scored; readonly aggregated: Aggregated }> {
  const compat = options.compat !== undefined;
  checkFree(out, [ANALYSIS, COMBINED, ...aggregateOutputs(compat)], options);
  const scored = await scoreResults(results, join(out, ANALYSIS), options);
  await writeCombined(join(out, COMBINED), scored.files, compat);
  const aggregated = await aggregate(scored.files, out, { ...options, compat });
  if (options.force) {
    removeStale(out, aggregated.files, isTable);
    removeStale(
      join(out, ANALYSIS),
      scored.files.map(({ name }) => name),
      isScoredName,
    );
  }
  return { scored, aggregated };
}

function checkFree(out: string, names: readonly string[], { force = false }: StageOptions): void {
  if (force) return;
  const there = names.map((name) => join(out, name)).find((path) => existsSync(path));
  if (there === undefined) return;
  const message = `${there} is already there; give another folder, or --force to replace it`;
  throw new AuditError('output_exists', message, { file: there });
}

/** Two results must not become one scored copy. */
function checkNames({ files }: FoundResults): void {
  const seen = new Map<string, string>();
  for (const { name } of files) {
    const other = seen.get(scoredName(name));
    if (other !== undefined) {
      const message = `${other} and ${name} would have one scored copy; rename one of them`;
      throw new AuditError('bad_argument', message, { files: [other, name] });
    }
    seen.set(scoredName(name), name);
  }
}

function checkGoing(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AuditError('cancelled', 'stopped between two result files');
}

/**
 * Removes what an earlier run left behind: the files at any depth below `folder` whose names are `ours` and that were not among the `written`. Names are paths from
 * `folder` on, with `/`; nothing that others may have put there is touched.
 */
function removeStale(folder: string, written: readonly string[], ours: (name: string) => boolean): void {
  if (!existsSync(folder)) return;
  const kept = new Set(written);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const name = path.replaceAll('\\', '/');
    if (ours(name) && !kept.has(name)) rmSync(join(folder, path));
  }
}
