/** Counts of the rows of one group (all rows, or one category), and the shares that they make. */
import type { JudgedRow, MetricField } from './fields.ts';
import type { Setting } from './result-name.ts';
import { type Unparsed, UnparsedTally } from './unparsed.ts';

/** Hits and rows that count, by question template. */
export type TemplateCounts = ReadonlyMap<string, readonly [hits: number, n: number]>;

/** One field of one group. */
export interface Measured {
  /** hits / n; null where nothing could be counted. */
  readonly value: number | null;
  /** Null where only the value is known, as in files that another program combined. */
  readonly hits: number | null;
  readonly n: number | null;
  /** Why there is no value; null where there is one. */
  readonly reason: string | null;
  /** Left out where a row does not say its template. */
  readonly templates?: TemplateCounts;
}

export interface GroupScores {
  /** Null where they are not known. */
  readonly rows: number | null;
  readonly unparsed: number | null;
  /** These by why they could not be read. */
  readonly unparsedReasons: Unparsed | null;
  /** By the key of the field. */
  readonly fields: ReadonlyMap<string, Measured>;
}

export class Tally {
  #rows = 0;
  #unparsed = 0;
  readonly #reasons = new UnparsedTally();
  readonly #counts: {
    readonly field: MetricField;
    hits: number;
    n: number;
    templates: Map<string, [number, number]>;
  }[];
  /** Every row says its template. */
  #known = true;

  constructor(fields: readonly MetricField[]) {
    this.#counts = fields.map((field) => ({ field, hits: 0, n: 0, templates: new Map() }));
  }

  /** `template` is null where the row does not say it. */
  add(row: JudgedRow, setting: Setting, template: string | null = null): void {
    this.#known &&= template !== null;
    this.#rows += 1;
    if (row.answer === null) this.#unparsed += 1;
    if (row.reason !== null) this.#reasons.add(row.reason);
    for (const count of this.#counts) {
      const hit = count.field.judge(row, setting);
      if (hit === null) continue;
      count.n += 1;
      if (hit) count.hits += 1;
      if (template === null) continue;
      const own = count.templates.get(template) ?? [0, 0];
      count.templates.set(template, [own[0] + Number(hit), own[1] + 1]);
    }
  }

  scores(): GroupScores {
    const fields = this.#counts.map(({ field, hits, n, templates }): [string, Measured] => [
      field.key,
      {
        value: n === 0 ? null : hits / n,
        hits,
        n,
        reason: n === 0 ? this.#emptyReason() : null,
        ...(this.#known && n > 0 ? { templates } : {}),
      },
    ]);
    return {
      rows: this.#rows,
      unparsed: this.#unparsed,
      unparsedReasons: this.#reasons.counts(),
      fields: new Map(fields),
    };
  }

  #emptyReason(): string {
    if (this.#rows === 0) return 'there are no rows';
    if (this.#unparsed === this.#rows)
      return `none of the ${this.#rows} answers could be parsed (100 % unparsed)`;
    return `none of the ${this.#rows - this.#unparsed} parsed answers is to a row that counts here`;
  }
}
