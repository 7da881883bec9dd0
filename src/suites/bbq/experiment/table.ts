/** The experiments by name: the user's own rows, and those shipped rows that they do not override. */

import { invalidFile, type PlacedFault } from '../../../catalog/index.ts';
import { AuditError } from '../../../errors.ts';
import { type Experiment, type ExperimentSource, toExperiment } from './experiment.ts';
import {
  type ExperimentFolder,
  ownTablePath,
  readOwnTable,
  readShippedTable,
  SHIPPED_NAME,
} from './locate.ts';
import type { ParsedRow, ParsedTable } from './parse.ts';

export interface ListedExperiment {
  readonly name: string;
  readonly source: ExperimentSource;
  /** Is this a row of the user's that is used instead of a shipped one? That one is not listed then. */
  readonly overridesShipped: boolean;
  /** Null for a row that is not right, and then `error` says why. */
  readonly experiment: Experiment | null;
  readonly error: AuditError | null;
}

/**
 * Every experiment that goes by name: the shipped ones in the order of their table, then the user's own in the order of
 * theirs. Throws `file_unreadable`, and `experiment_invalid` where the user's table is no table at all.
 */
export async function listExperiments(options: ExperimentFolder = {}): Promise<ListedExperiment[]> {
  const shipped = await readShippedTable();
  const own = await readOwnTable(options);
  const file = ownTablePath(options);
  if (own !== null) requireReadable(own, file);
  const ownRows = own?.rows ?? [];
  const listed = (row: ParsedRow, source: ExperimentSource, overridesShipped: boolean): ListedExperiment => {
    const shown = source === 'shipped' ? SHIPPED_NAME : file;
    if (row.values === null) {
      const error = invalidExperiments(shown, row.faults);
      return { name: row.name, source, overridesShipped, experiment: null, error };
    }
    const experiment = toExperiment(row.name, row.description, row.values, source);
    return { name: row.name, source, overridesShipped, experiment, error: null };
  };
  const ofShipped = shipped.rows.map((row) => {
    const override = ownRows.find(({ name }) => name === row.name);
    return override === undefined ? listed(row, 'shipped', false) : listed(override, 'yours', true);
  });
  const shippedNames = new Set(shipped.rows.map(({ name }) => name));
  const others = ownRows.filter(({ name }) => !shippedNames.has(name));
  return [...ofShipped, ...others.map((row) => listed(row, 'yours', false))];
}

/**
 * The experiment of that name with every axis, the user's own before a shipped one. Errors: `bad_argument` for a name
 * that there is not, with those that there are; `experiment_invalid` for a row of the user's that is not right;
 * `file_unreadable`.
 */
export async function resolveExperiment(name: string, options: ExperimentFolder = {}): Promise<Experiment> {
  const list = await listExperiments(options);
  const found = list.find((entry) => entry.name === name);
  if (found === undefined) throw unknownExperiment(name, list, options);
  if (found.experiment === null) throw found.error;
  return found.experiment;
}

/** Names of the experiments that come with the package, in the order of their table. */
export async function shippedExperiments(): Promise<string[]> {
  return (await readShippedTable()).rows.map(({ name }) => name);
}

/** `bad_argument` about a name, with the names that there are. */
export function unknownExperiment(
  name: string,
  list: readonly ListedExperiment[],
  options: ExperimentFolder,
): AuditError {
  const namesOf = (wanted: ExperimentSource) =>
    list.filter(({ source }) => source === wanted).map((entry) => entry.name);
  const yours = namesOf('yours');
  const own = ownTablePath(options);
  const ofYours = yours.length === 0 ? `${own} has none` : `in ${own} are: ${yours.join(', ')}`;
  const message = `no experiment is called ${JSON.stringify(name)}; shipped are: ${namesOf('shipped').join(', ')}; ${ofYours}`;
  return new AuditError('bad_argument', message, { name, known: list.map((entry) => entry.name) });
}

/** Throws `experiment_invalid` for a file that is no table. */
export function requireReadable({ faults }: ParsedTable, file: string): void {
  if (faults.length > 0) throw invalidExperiments(file, faults);
}

export function invalidExperiments(file: string, faults: readonly PlacedFault[]): AuditError {
  return invalidFile('experiment_invalid', 'experiments in', file, faults);
}
