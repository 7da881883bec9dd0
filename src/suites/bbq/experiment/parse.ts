/** The bytes of a table of experiments to its rows. A fault of one row leaves the others to be used. */
import { PLAIN_NAME, type PlacedFault, readYaml } from '../../../catalog/index.ts';
import { AXIS_KEYS, type AxisValues, defaultOf, isAxisKey, readAxis } from './axes.ts';
import { type BrokenRule, ruleFaults, ruleWarnings } from './rules.ts';

/** The key of a file under which the rows are. */
export const ROWS_KEY = 'experiments';
/** The key of a row that is no axis: what the experiment is for. */
export const DESCRIPTION_KEY = 'description';

const ROW_KEYS = [...AXIS_KEYS, DESCRIPTION_KEY];

export interface ParsedRow {
  readonly name: string;
  /** Of its name, from 1. */
  readonly line: number | null;
  /** Null if there are faults. */
  readonly values: AxisValues | null;
  readonly description: string | null;
  readonly faults: readonly PlacedFault[];
  readonly warnings: readonly PlacedFault[];
}

export interface ParsedTable {
  /** In the order of the file. */
  readonly rows: readonly ParsedRow[];
  /** Of the whole file; then there are no rows. */
  readonly faults: readonly PlacedFault[];
  readonly warnings: readonly PlacedFault[];
}

/** Reads a table without throwing; `file` is what messages call it. */
export function parseTable(bytes: Uint8Array, file: string): ParsedTable {
  const { value, faults, warnings, lineOf } = readYaml(bytes, file);
  const place: Placer = (path, message) => ({ file, path, line: lineOf(path), message });
  if (faults.length > 0) return { rows: [], faults, warnings };
  const problems = shapeFaults(value, place);
  if (problems.length > 0) return { rows: [], faults: problems, warnings };
  const rows = Object.entries((value as { [ROWS_KEY]: object })[ROWS_KEY]);
  return { rows: rows.map(([name, row]) => parseRow(name, row, place)), faults: [], warnings };
}

type Placer = (path: readonly (string | number)[], message: string) => PlacedFault;

const SHAPE = `a table is "${ROWS_KEY}:" and below it one row a name, as in  mine: {image: aug, token: aug}`;

function shapeFaults(value: unknown, place: Placer): PlacedFault[] {
  if (!isMapping(value)) return [place([], `the file holds no keys; ${SHAPE}`)];
  const unknown = Object.keys(value).filter((key) => key !== ROWS_KEY);
  if (unknown.length > 0) {
    return unknown.map((key) => place([key], `${JSON.stringify(key)} is not a key of the file; ${SHAPE}`));
  }
  if (isMapping(value[ROWS_KEY])) return [];
  return [place([ROWS_KEY], `${ROWS_KEY} holds no rows by name; ${SHAPE}`)];
}

function parseRow(name: string, row: unknown, place: Placer): ParsedRow {
  const at = (key?: string) => [ROWS_KEY, name, ...(key === undefined ? [] : [key])];
  const without = (faults: PlacedFault[]): ParsedRow => {
    return { name, line: place(at(), '').line, values: null, description: null, faults, warnings: [] };
  };
  if (!PLAIN_NAME.test(name)) {
    const message = `${JSON.stringify(name)} is not the name of an experiment; use letters, digits, _ and -`;
    return without([place(at(), message)]);
  }
  if (!isMapping(row)) return without([place(at(), `${name} holds no keys with values; ${SHAPE}`)]);
  const faults: PlacedFault[] = [];
  const values: Record<string, string | boolean> = {};
  for (const key of AXIS_KEYS) values[key] = defaultOf(key, name);
  for (const [key, raw] of Object.entries(row)) {
    const problem = isAxisKey(key) ? readInto(values, key, raw) : otherKey(key, raw);
    if (problem !== null) faults.push(place(at(key), `${name}.${problem}`));
  }
  if (faults.length > 0) return without(faults);
  // Every axis has been read, or has its default.
  const complete = values as unknown as AxisValues;
  const placed = ({ key, message }: BrokenRule) => place(at(key), `${name}: ${message}`);
  const broken = ruleFaults(complete);
  if (broken.length > 0) return without(broken.map(placed));
  const description = (row[DESCRIPTION_KEY] as string | undefined) ?? null;
  const warnings = ruleWarnings(complete).map(placed);
  return { ...without([]), values: complete, description, warnings };
}

function readInto(
  values: Record<string, string | boolean>,
  key: Parameters<typeof readAxis>[0],
  raw: unknown,
): string | null {
  const read = readAxis(key, raw);
  if (!read.ok) return `${key} ${read.message}`;
  values[key] = read.value;
  return null;
}

function otherKey(key: string, raw: unknown): string | null {
  if (key !== DESCRIPTION_KEY) return `${key} ${unknownKey()}`;
  return typeof raw === 'string' && raw !== ''
    ? null
    : `${key} is not a text; say what the experiment is for`;
}

/** The end of a message about an unknown key. */
export function unknownKey(): string {
  return `is not a key of an experiment; the keys are ${ROW_KEYS.join(', ')}`;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
