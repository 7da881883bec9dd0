/**
 * JSON Lines: one JSON value a line, blank lines left out. A line that does not parse is a row with an error.
 */

import type { PhysicalLine } from './lines.ts';
import { MAX_ROW_BYTES, physicalLines, withoutReturn } from './lines.ts';
import type { DatasetRow, RowPlace } from './row.ts';
import { malformedRow, quoteForMessage } from './row.ts';
import { encodingProblem } from './utf8.ts';

/** The rows of the JSON Lines in `source`; `file` is what messages call it. */
export async function* jsonlRows(
  source: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<DatasetRow, void, undefined> {
  let index = 0;
  for await (const line of physicalLines(source)) {
    const row = readLine(line, { file, line: line.line, index });
    if (row === null) continue;
    index += 1;
    yield row;
  }
}

function readLine(line: PhysicalLine, place: RowPlace): DatasetRow | null {
  if (line.tooLong)
    return malformedRow(place, `is longer than ${MAX_ROW_BYTES} bytes; give one JSON value a line`);
  const bytes = withoutReturn(line.bytes);
  const encoding = encodingProblem(bytes, line.offset);
  if (encoding !== null) return malformedRow(place, encoding.problem, { byteOffset: encoding.at });
  const text = bytes.toString('utf8');
  if (text.trim() === '') return null;
  try {
    return { line: place.line, index: place.index, value: JSON.parse(text) as unknown };
  } catch (cause) {
    return malformedRow(place, jsonProblem(text, cause, place.index === 0), {}, cause);
  }
}

function jsonProblem(text: string, cause: unknown, first: boolean): string {
  const said = cause instanceof Error ? cause.message : String(cause);
  // The engine's messages quote the text, or tell the place: only the place is of use, and only some versions give it.
  const position = /at position (\d+)/.exec(said)?.[1];
  const column = position === undefined ? '' : ` at column ${Number(position) + 1}`;
  const trimmed = text.trim();
  const document = first && (trimmed.startsWith('[') || trimmed === '{');
  const advice = document
    ? 'the file must hold one JSON value a line (JSON Lines), not one JSON document over several lines'
    : 'mend the line, or take it out';
  return `is not valid JSON${column}: ${quoteForMessage(trimmed)}; ${advice}`;
}
