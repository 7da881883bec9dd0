/**
 * What separates the fields of a CSV file. Its name says a comma (a tab for TSV), and spreadsheets write others under
 * the same name. A first line `sep=;` says it; else the header and the records behind it do: a separator is taken that
 * parts the header and all records at the head of the file into the same number of fields.
 */
import type { PhysicalLine } from './lines.ts';

const CANDIDATES = [',', ';', '\t', '|'];
const SEP_LINE = /^"?sep=(.)"?\r?$/i;
/** Records at the head of the file that are looked at. */
const LOOKED_AT = 50;

/** The separator that a line `sep=;` names, null of any other line. */
export function namedSeparator(line: Buffer): string | null {
  if (line.length > 8) return null;
  return SEP_LINE.exec(line.toString('utf8'))?.[1] ?? null;
}

/** `usual` is the separator that the file's name says; kept unless another is certain. */
export function guessSeparator(lines: readonly PhysicalLine[], usual: string): string {
  const counts = new Map(CANDIDATES.map((candidate) => [candidate, fieldCounts(lines, candidate)]));
  const fits = (candidate: string) => {
    const [header = 1, ...rows] = counts.get(candidate)!;
    return header > 1 && rows.every((count) => count === header);
  };
  const parts = (candidate: string) => (counts.get(candidate)![0] ?? 1) > 1;
  if (parts(usual) && fits(usual)) return usual;
  const others = CANDIDATES.filter((candidate) => candidate !== usual);
  const best = others
    .filter((candidate) => fits(candidate) || (!parts(usual) && parts(candidate)))
    .sort(
      (one, other) =>
        Number(fits(other)) - Number(fits(one)) || counts.get(other)![0]! - counts.get(one)![0]!,
    );
  return best[0] ?? usual;
}

/** Fields of the header and of the records behind it, quotes regarded; the last may be cut and does not count. */
function fieldCounts(lines: readonly PhysicalLine[], separator: string): number[] {
  const counts: number[] = [];
  let fields = 1;
  let inside = false;
  for (const { bytes } of lines) {
    const text = bytes.toString('latin1');
    if (!inside && text.trim() === '') continue;
    // A quote opens at the start of a field only, and closes anywhere.
    let start = !inside;
    for (const character of text) {
      if (character === '"' && (inside || start)) inside = !inside;
      else if (!inside && character === separator) fields += 1;
      start = character === separator || (start && character === ' ') || character === '"';
    }
    if (inside) continue;
    counts.push(fields);
    if (counts.length > LOOKED_AT) break;
    fields = 1;
  }
  return counts;
}
