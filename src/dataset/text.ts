/** Plain text: one row a line, blank lines left out. */
import type { PhysicalLine } from './lines.ts';
import { MAX_ROW_BYTES, physicalLines, withoutReturn } from './lines.ts';
import type { DatasetRow, RowPlace } from './row.ts';
import { malformedRow } from './row.ts';
import { textProblem } from './utf8.ts';

/** The rows of the text in `source`, numbered from `first`: `{ text }` with the line as it stands, its spaces kept. */
export async function* textRows(
  source: AsyncIterable<Buffer>,
  file: string,
  first = 0,
): AsyncGenerator<DatasetRow, void, undefined> {
  let index = first;
  for await (const line of physicalLines(source)) {
    const row = readLine(line, { file, line: line.line, index });
    if (row === null) continue;
    index += 1;
    yield row;
  }
}

function readLine(line: PhysicalLine, place: RowPlace): DatasetRow | null {
  if (line.tooLong) return malformedRow(place, `is longer than ${MAX_ROW_BYTES} bytes; give one text a line`);
  const bytes = withoutReturn(line.bytes);
  const fault = textProblem(bytes, line.offset);
  if (fault !== null) return malformedRow(place, fault.problem, { byteOffset: fault.at });
  const text = bytes.toString('utf8');
  return text.trim() === '' ? null : { ...place, value: { text } };
}
