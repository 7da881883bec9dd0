/** The stage from an evaluation to tables, in the way in which it was evaluated. */
import { join } from 'node:path';
import type { Scale } from '../data/index.ts';
import { writeOriginalTables } from './compat/tables.ts';
import { type CountedRow, readCounted } from './counted.ts';
import { checkFree, confusionFile, FILES } from './files.ts';
import { readManifest } from './manifest.ts';
import { layoutOf } from './modes.ts';
import { studyOf } from './sides.ts';
import { type OwnTables, type TableOptions, writeOwnTables } from './tables/index.ts';

/** Weights, clusters and interval of a mean. */
export interface AggregateOptions extends TableOptions {
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Aggregated {
  /** Names of the files in the folder. */
  readonly files: readonly string[];
  readonly rows: readonly CountedRow[];
  /** Null for an evaluation in the original's way, whose tables have neither intervals nor reasons. */
  readonly tables: OwnTables | null;
}

/**
 * Makes tables in `out` of the evaluation in `folder`. Errors: those of `readManifest` and `readCounted`; `output_exists`,
 * `bad_argument` for options that cannot be, `cancelled`.
 */
export async function aggregate(
  scale: Scale,
  folder: string,
  out: string,
  options: AggregateOptions = {},
): Promise<Aggregated> {
  const manifest = await readManifest(join(folder, FILES.manifest), scale);
  const study = studyOf(scale, manifest.subscales);
  const names = [
    ...[FILES.summary, FILES.byGroup, FILES.gaps, FILES.gapDeltas, FILES.association],
    ...study.sides.map(({ name }) => confusionFile(name)),
    ...(manifest.compat ? [] : [FILES.settings]),
  ];
  checkFree(out, names, options.force === true);
  const table = manifest.attributes;
  const layout = layoutOf(manifest);
  const { signal } = options;
  const rows = await readCounted({
    folder,
    sides: study.sides,
    table,
    covariates: layout.covariates(table),
    signal,
  });
  if (manifest.compat) {
    const files = await writeOriginalTables(out, rows, study.sides, table.attributes);
    return { files, rows, tables: null };
  }
  const tables = await writeOwnTables(out, rows, study, table.attributes, options);
  return { files: names, rows, tables };
}
