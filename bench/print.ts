/** Results as they come: lines of JSON for programs, a growing table for people. */
import process from 'node:process';

type Cell = string | number | null;

/** Of a column, so that a later line's longer cells do not break it. */
const LEAST_WIDTH = 12;

/** Prints results of one shape below each other, and a head where the shape changes. */
export function printer({ json }: { json: boolean }): (line: object) => void {
  let head = '';
  let widths: number[] = [];
  return (line) => {
    if (json) return console.log(JSON.stringify(line));
    const names = Object.keys(line);
    const cells = Object.values(line as Record<string, Cell>).map((cell) => String(cell ?? '-'));
    if (names.join() !== head) {
      widths = names.map((name, column) => Math.max(name.length, cells[column]!.length, LEAST_WIDTH));
      console.log(`${head && '\n'}${row(names, widths)}`);
      head = names.join();
    }
    console.log(row(cells, widths));
  };
}

function row(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, column) => cell.padStart(widths[column]!)).join('  ');
}

/** Says on stderr what must not be overlooked. */
export function loud(text: string): void {
  const rule = '!'.repeat(80);
  process.stderr.write(`${rule}\n${text}\n${rule}\n`);
}

/** Three digits: more would be noise. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
