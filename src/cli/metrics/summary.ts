/** Mean, smallest and largest of each number over all rows, without keeping the rows. Rows get no interval here: nothing says how they hang together. */
import { formatCount, formatNumber, type Row, renderTable } from '../../report/index.ts';
import { tellable } from './record.ts';

interface Column {
  readonly name: string;
  rows: number;
  infinite: number;
  sum: number;
  min: number;
  max: number;
}

// What numbers a row, or says the same in each, has no mean worth reading.
const UNSUMMED: ReadonlySet<string> = new Set(['row', 'topKK', 'topKIds', 'topKProbs']);

export class Summary {
  private readonly columns: readonly Column[];

  constructor(names: readonly string[]) {
    this.columns = names
      .filter((name) => !UNSUMMED.has(name))
      .map((name) => ({
        name,
        rows: 0,
        infinite: 0,
        sum: 0,
        min: Number.POSITIVE_INFINITY,
        max: Number.NEGATIVE_INFINITY,
      }));
  }

  /** Adds a flat row; an absent value is not counted, an infinite one counts as such. */
  add(row: Row): void {
    for (const column of this.columns) {
      const value = numberOf(row[column.name]);
      if (value === null) continue;
      column.rows += 1;
      if (!Number.isFinite(value)) column.infinite += 1;
      column.sum += value;
      column.min = Math.min(column.min, value);
      column.max = Math.max(column.max, value);
    }
  }

  render(): string {
    const number = (value: number) => formatNumber(value, 4);
    const anyInfinite = this.columns.some(({ infinite }) => infinite > 0);
    return renderTable(
      [
        { key: 'metric' },
        { key: 'mean', align: 'right', format: number },
        { key: 'min', align: 'right', format: number },
        { key: 'max', align: 'right', format: number },
        { key: 'rows', format: formatCount },
        ...(anyInfinite ? [{ key: 'infinite', header: 'of them infinite', format: formatCount }] : []),
      ],
      this.columns.map(({ name, rows, infinite, sum, min, max }) =>
        rows === 0
          ? { metric: name, mean: null, min: null, max: null, rows, infinite }
          : {
              metric: name,
              mean: tellable(sum / rows),
              min: tellable(min),
              max: tellable(max),
              rows,
              infinite,
            },
      ),
    );
  }
}

function numberOf(cell: Row[string]): number | null {
  if (cell === 'inf') return Number.POSITIVE_INFINITY;
  if (cell === '-inf') return Number.NEGATIVE_INFINITY;
  return typeof cell === 'number' ? cell : null;
}
