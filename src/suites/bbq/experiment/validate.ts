/** A table of experiments looked over: every fault of every row, and what is allowed but may not be meant. */

import { readFile } from 'node:fs/promises';
import { PLAIN_NAME, type PlacedFault } from '../../../catalog/index.ts';
import { fileError } from '../../../files/file-error.ts';
import { type Experiment, type ExperimentSource, toExperiment } from './experiment.ts';
import {
  type ExperimentFolder,
  ownTablePath,
  readOwnBytes,
  readOwnTable,
  readShippedTable,
  SHIPPED_NAME,
} from './locate.ts';
import { type ParsedTable, parseTable, ROWS_KEY } from './parse.ts';
import { listExperiments, unknownExperiment } from './table.ts';
import { neededAtRun } from './token.ts';

/**
 * What to say of `experiment` beside `others`, its own name passed over; null if its token is its own. What a run is given
 * and puts in the place of the token is for the run to keep apart.
 */
export function sameFolderWarning(experiment: Experiment, others: readonly Experiment[]): string | null {
  const { name, token } = experiment;
  if (neededAtRun(experiment).length > 0) return null;
  const sharing = others.filter(
    (other) => other.name !== name && other.token === token && neededAtRun(other).length === 0,
  );
  if (sharing.length === 0) return null;
  const names = sharing.map((other) => other.name).join(', ');
  return `${name}: its results go by the token ${token}, as those of ${names}; give it a token of its own`;
}

export interface ExperimentReport {
  /** What was looked over, as messages call it. */
  readonly file: string;
  /** Rows without faults. */
  readonly experiments: readonly Experiment[];
  readonly faults: readonly PlacedFault[];
  readonly warnings: readonly PlacedFault[];
}

/**
 * Looks a table over: without `target` the user's own or, where there is none, the shipped one; of a path that file; of a
 * name the row of that experiment alone. What is wrong is in the report and not thrown. Errors: `bad_argument` for a name
 * that there is not, `file_not_found`, `file_unreadable`.
 */
export async function validateExperiments(
  target?: string,
  options: ExperimentFolder = {},
): Promise<ExperimentReport> {
  if (target !== undefined && !PLAIN_NAME.test(target)) {
    return report(parseTable(await readTable(target), target), target, 'yours', []);
  }
  const own = await readOwnTable(options);
  const shipped = await readShippedTable();
  const ofOwn = own !== null && (target === undefined || !has(shipped, target) || has(own, target));
  const table = ofOwn ? own : shipped;
  const whole = ofOwn
    ? report(own, ownTablePath(options), 'yours', toExperiments(shipped, 'shipped'))
    : report(shipped, SHIPPED_NAME, 'shipped', []);
  if (target === undefined) return whole;
  if (table.faults.length === 0 && !has(table, target)) {
    throw unknownExperiment(target, await listExperiments(options), options);
  }
  const about = ({ path }: PlacedFault) => path[0] !== ROWS_KEY || path[1] === target || path.length < 2;
  return {
    file: whole.file,
    experiments: whole.experiments.filter(({ name }) => name === target),
    faults: whole.faults.filter(about),
    warnings: whole.warnings.filter(about),
  };
}

/** What `validateExperiments()` looks over, as messages call it. Throws `file_unreadable`. */
export async function defaultTable(options: ExperimentFolder = {}): Promise<string> {
  return (await readOwnBytes(options)) === null ? SHIPPED_NAME : ownTablePath(options);
}

async function readTable(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw fileError(file, cause);
  }
}

function has({ rows }: ParsedTable, name: string): boolean {
  return rows.some((row) => row.name === name);
}

function toExperiments({ rows }: ParsedTable, source: ExperimentSource): Experiment[] {
  return rows.flatMap(({ name, description, values }) =>
    values === null ? [] : [toExperiment(name, description, values, source)],
  );
}

/** `beside` are the experiments of other tables, as far as this one does not override them. */
function report(
  table: ParsedTable,
  file: string,
  source: ExperimentSource,
  beside: readonly Experiment[],
): ExperimentReport {
  const experiments = toExperiments(table, source);
  const others = beside.filter(({ name }) => !has(table, name));
  const shipped = beside.map(({ name }) => name);
  const lines = new Map(table.rows.map((row) => [row.name, row.line]));
  const place = (name: string, message: string): PlacedFault => {
    return { file, path: [ROWS_KEY, name], line: lines.get(name) ?? null, message };
  };
  return {
    file,
    experiments,
    faults: [...table.faults, ...table.rows.flatMap((row) => row.faults)],
    warnings: [
      ...table.warnings,
      ...table.rows.flatMap((row) => row.warnings),
      ...experiments.flatMap((experiment, index) => {
        const { name } = experiment;
        // Of two that share a folder the later one is reported.
        const shared = sameFolderWarning(experiment, [...others, ...experiments.slice(0, index)]);
        const overrides = `${name}: is used instead of the shipped experiment`;
        return [
          ...(shipped.includes(name) ? [place(name, overrides)] : []),
          ...(shared === null ? [] : [place(name, shared)]),
        ];
      }),
    ],
  };
}
