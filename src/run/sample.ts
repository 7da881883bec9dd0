/**
 * A random sample of the rows of a data set: so many of each stratum (the values of the suite's slices) as it has a share
 * of the rows, by the largest remainder, and rows that belong together whole. What is drawn hangs on the seed and on the
 * ids of rows alone: each has a number from SHA-256 of both, and the least numbers of a stratum are taken. So the same rows
 * come on every machine, in whatever order the files hold them. docs/design/sample.md.
 */
import { createHash } from 'node:crypto';
import type { Suite } from '../contract/index.ts';
import type { DatasetRow } from '../dataset/index.ts';
import { AuditError } from '../errors.ts';
import { readRow, type SuiteOptions } from './read-row.ts';

export interface SampleChoice {
  /** How many; fewer where rows that belong together would not be whole. */
  readonly rows: number;
  /** A whole number from 0; default 0. */
  readonly seed?: number;
}

/** What the manifest keeps of a sample. */
export interface SampleDescription {
  readonly rows: number;
  readonly seed: number;
  /** Rows that were drawn, and of how many. */
  readonly drawn: number;
  readonly of: number;
  readonly strata: number;
  /** Columns whose values make the strata. */
  readonly by: readonly string[];
  /** Those of too many values for the sample to follow. */
  readonly finer: readonly string[];
  /** Most rows that stay together; 1 where each stands alone. */
  readonly largestUnit: number;
}

export interface Sample {
  /** Numbers of the rows in the data, from 0. */
  readonly chosen: ReadonlySet<number>;
  readonly description: SampleDescription;
}

/** Units of one size in one stratum. */
export interface Stratum {
  readonly key: string;
  /** Rows of a unit. */
  readonly size: number;
  units: number;
}

/** From 0 below 2^48, by the seed and a name: the same everywhere. */
export function drawNumber(seed: number, name: string): number {
  return createHash('sha256').update(`${seed}\n${name}`).digest().readUIntBE(0, 6);
}

/**
 * How many units of each stratum are taken, at most `rows` rows in all: its share rounded down, and then one more by the
 * largest remainder as far as rows are left. Equal remainders are told apart by the seed, for the order of strata means
 * nothing. Whole numbers only, so that every machine comes to the same.
 */
export function allocate(strata: readonly Stratum[], rows: number, seed: number): Map<Stratum, number> {
  const total = strata.reduce((sum, { size, units }) => sum + size * units, 0);
  const wanted = Math.min(rows, total);
  const taken = new Map<Stratum, number>();
  const queue = strata.map((stratum) => {
    // wanted * (size * units / total) rows are wanted / total * units units.
    const product = BigInt(wanted) * BigInt(stratum.units);
    const base = Number(product / BigInt(total));
    taken.set(stratum, base);
    const name = `stratum\n${stratum.size}\n${stratum.key}`;
    return { stratum, rest: Number(product % BigInt(total)), draw: drawNumber(seed, name) };
  });
  let left = wanted - strata.reduce((sum, stratum) => sum + taken.get(stratum)! * stratum.size, 0);
  queue.sort((a, b) => b.rest - a.rest || a.draw - b.draw || (a.stratum.key < b.stratum.key ? -1 : 1));
  for (const { stratum } of queue) {
    if (stratum.size > left || taken.get(stratum)! >= stratum.units) continue;
    taken.set(stratum, taken.get(stratum)! + 1);
    left -= stratum.size;
  }
  return taken;
}

/** The `count` least of what is offered, by their draw; holds no more than twice as many. */
class Least {
  readonly #count: number;
  #items: { readonly draw: number; readonly tie: string; readonly index: number }[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  offer(draw: number, tie: string, index: number): void {
    if (this.#count === 0) return;
    this.#items.push({ draw, tie, index });
    if (this.#items.length >= 2 * this.#count + 64) this.#prune();
  }

  items(): readonly { readonly tie: string; readonly index: number }[] {
    this.#prune();
    return this.#items;
  }

  #prune(): void {
    this.#items.sort(
      (a, b) => a.draw - b.draw || (a.tie < b.tie ? -1 : a.tie > b.tie ? 1 : a.index - b.index),
    );
    this.#items.length = Math.min(this.#items.length, this.#count);
  }
}

/** In the place of a row's number: a unit of several rows. */
const UNIT = -1;

/** A row as far as the drawing looks at it. */
interface Drawable {
  readonly index: number;
  readonly id: string;
  /** What it has in common with the rows that belong to it; null for a row of its own. */
  readonly unit: string | null;
  /** By the suite's slices; null for a row that cannot be read. */
  readonly slices: readonly (string | null)[] | null;
}

/** What a unit has of each slice, as a text; null for a row that cannot be read. */
type Values = readonly string[] | null;

/** Rows that belong together, wherever in the data they stand. */
class Unit {
  size = 0;
  readonly #values: Set<string | null>[] = [];

  add({ slices }: Drawable): this {
    this.size += 1;
    for (const [at, value] of (slices ?? []).entries()) {
      this.#values[at] ??= new Set();
      this.#values[at].add(value);
    }
    return this;
  }

  /** All values that its rows have: a pair of a woman's row and a man's is of both. */
  get values(): Values {
    return this.#values.map((values) => JSON.stringify([...values].sort()));
  }
}

function valuesOf(row: Drawable): Values {
  return row.slices === null ? null : new Unit().add(row).values;
}

/** The units of the data, counted by what they have of every slice, and then by as many slices as the sample can follow. */
class Census {
  rows = 0;
  units = 0;
  largestUnit = 1;
  /** Rows that belong together, by their name. */
  readonly together = new Map<string, Unit>();
  readonly #counted = new Map<string, { readonly values: Values; readonly size: number; units: number }>();

  add(row: Drawable): void {
    this.rows += 1;
    if (row.unit === null) this.#count(valuesOf(row), 1);
    else this.together.set(row.unit, (this.together.get(row.unit) ?? new Unit()).add(row));
  }

  close(): void {
    for (const { values, size } of this.together.values()) {
      this.#count(values, size);
      this.largestUnit = Math.max(this.largestUnit, size);
    }
  }

  #count(values: Values, size: number): void {
    const key = JSON.stringify([size, values]);
    const counted = this.#counted.get(key) ?? { values, size, units: 0 };
    this.#counted.set(key, counted);
    counted.units += 1;
    this.units += 1;
  }

  /**
   * The slices that make the strata: those of few values first, as long as there are no more strata than units are
   * taken. With more, the largest remainder would take the same large ones whatever the seed, and never a small one.
   */
  followed(slices: number, rows: number): number[] {
    const units = Math.floor((Math.min(rows, this.rows) * this.units) / Math.max(1, this.rows));
    const all = [...this.#counted.values()];
    const count = (columns: readonly number[]) =>
      new Set(all.map(({ values, size }) => JSON.stringify([size, pick(values, columns)]))).size;
    const columns = Array.from({ length: slices }, (_, at) => ({ at, count: count([at]) }));
    columns.sort((a, b) => a.count - b.count || a.at - b.at);
    const followed: number[] = [];
    for (const { at } of columns) {
      if (count([...followed, at]) > units) break;
      followed.push(at);
    }
    return followed.sort((a, b) => a - b);
  }

  strata(columns: readonly number[]): Map<string, Stratum> {
    const strata = new Map<string, Stratum>();
    for (const { values, size, units } of this.#counted.values()) {
      const key = stratumKey(values, size, columns);
      const stratum = strata.get(key) ?? { key, size, units: 0 };
      strata.set(key, stratum);
      stratum.units += units;
    }
    return strata;
  }
}

function pick(values: Values, columns: readonly number[]): Values {
  return values === null ? null : columns.map((at) => values[at]!);
}

function stratumKey(values: Values, size: number, columns: readonly number[]): string {
  return JSON.stringify([size, pick(values, columns)]);
}

function drawableOf(suite: Suite, options: SuiteOptions, row: DatasetRow): Drawable {
  const { file, index } = row;
  const checked = readRow(suite, row, options);
  if (!checked.ok) return { index, id: `row ${index}`, unit: null, slices: null };
  const { id, slices } = suite.identify(checked.value, row);
  const unit = suite.unit?.(checked.value, { file, index }) ?? pairId(row.value);
  return { index, id, unit, slices: suite.slices.map((name) => slices[name] ?? null) };
}

/** Data of one's own say by this column which rows belong together. */
function pairId(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pair_id: id } = value as { pair_id?: unknown };
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? `pair ${id}` : null;
}

/** Throws `bad_argument` for numbers that are none, and where the first rows are asked for as well. */
export function checkChoice({ rows, seed = 0 }: SampleChoice, limit?: number): void {
  if (limit !== undefined) {
    const message = 'limit takes the first rows, and sample a random part of all; give one of them';
    throw new AuditError('bad_argument', message, { key: 'sample' });
  }
  for (const [key, value, least] of [
    ['sample', rows, 1],
    ['seed', seed, 0],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= least) continue;
    const message = `${key} is ${value}; give a whole number from ${least}`;
    throw new AuditError('bad_argument', message, { key, value });
  }
}

/**
 * Draws from what `read` reads, which it reads twice. Memory: the strata, the sample, and an entry for each unit of rows
 * that belong together. The choice is checked before. Throws `bad_argument` where not one unit fits.
 */
export async function drawSample(
  suite: Suite,
  options: SuiteOptions,
  read: () => AsyncIterable<DatasetRow>,
  choice: SampleChoice,
): Promise<Sample> {
  const { rows, seed = 0 } = choice;
  const census = new Census();
  for await (const row of read()) census.add(drawableOf(suite, options, row));
  census.close();
  const columns = census.followed(suite.slices.length, rows);
  const strata = census.strata(columns);
  const taken = allocate([...strata.values()], rows, seed);
  const least = new Map([...strata].map(([key, stratum]) => [key, new Least(taken.get(stratum)!)]));
  const listOf = (values: Values, size: number) => least.get(stratumKey(values, size, columns))!;
  for (const [name, { values, size }] of census.together) {
    listOf(values, size).offer(drawNumber(seed, `unit\n${name}`), name, UNIT);
  }
  const rowsOf = new Map([...census.together.keys()].map((name): [string, number[]] => [name, []]));
  for await (const row of read()) {
    const drawable = drawableOf(suite, options, row);
    const { unit, index, id } = drawable;
    if (unit !== null) rowsOf.get(unit)?.push(index);
    else listOf(valuesOf(drawable), 1).offer(drawNumber(seed, `row\n${id}`), id, index);
  }
  const chosen = new Set<number>();
  for (const list of least.values()) {
    for (const { tie, index } of list.items()) {
      for (const at of index === UNIT ? rowsOf.get(tie)! : [index]) chosen.add(at);
    }
  }
  if (chosen.size === 0 && census.rows > 0) {
    const smallest = Math.min(...[...strata.values()].map(({ size }) => size));
    const message = `a sample of ${rows} rows holds none: rows that belong together are ${smallest} and more; give --sample ${smallest} or more`;
    throw new AuditError('bad_argument', message, { key: 'sample', smallest });
  }
  const named = (at: number) => suite.slices[at]!;
  const description = {
    rows,
    seed,
    drawn: chosen.size,
    of: census.rows,
    strata: strata.size,
    by: columns.map(named),
    finer: suite.slices.filter((_, at) => !columns.includes(at)),
    largestUnit: census.largestUnit,
  };
  return { chosen, description };
}

/** For people: what was drawn. */
export function sampleLine(
  { rows, seed, drawn, of, strata, by, finer, largestUnit }: SampleDescription,
  what = 'rows',
): string {
  const many = finer.length > 0 ? `not by ${finer.join(', ')}, of too many values` : '';
  const names = [...by, ...(many === '' ? [] : [many])].join(', ');
  const columns = strata > 1 ? ` in ${strata} strata (${names})` : many === '' ? '' : ` (${many})`;
  const whole = largestUnit > 1 ? `; rows that belong together (up to ${largestUnit}) are whole` : '';
  const less = drawn < Math.min(rows, of) ? `, of the ${rows} asked for` : '';
  if (drawn === of) return `--sample ${rows}: the data have ${of} ${what}, and all of them are taken`;
  return `a random sample of ${drawn} of ${of} ${what}${less}${columns}, seed ${seed}${whole}`;
}

/** Which part of the data the numbers of a run are about: a line, or none where it is all. */
export function partOfData(
  { limit, sample }: { readonly limit: number | null; readonly sample?: SampleDescription | null },
  what = 'rows',
): string[] {
  if (sample) return [sampleLine(sample, what)];
  if (limit === null) return [];
  return [
    `at most the first ${limit} ${what} of the data (--limit), which are no random sample: the numbers are of these alone`,
  ];
}
