/**
 * JSON Lines: one JSON value a line, blank lines left out. A line that does not parse is a row with an error.
 */

import { jsonFault } from './json-scan.ts';
import type { PhysicalLine } from './lines.ts';
import { columnOf, MAX_ROW_BYTES, physicalLines, withoutReturn } from './lines.ts';
import type { DatasetRow, RowPlace } from './row.ts';
import { malformedRow, quoteForMessage } from './row.ts';
import { encodingProblem, NUL_ADVICE } from './utf8.ts';

/** The rows of the JSON Lines in `source`, numbered from `first`; `file` is what messages call it. */
export async function* jsonlRows(
  source: AsyncIterable<Buffer>,
  file: string,
  first = 0,
): AsyncGenerator<DatasetRow, void, undefined> {
  let index = first;
  for await (const line of physicalLines(source)) {
    const row = readLine(line, { file, line: line.line, index }, index === first);
    if (row === null) continue;
    index += 1;
    yield row;
  }
}

function readLine(line: PhysicalLine, place: RowPlace, first: boolean): DatasetRow | null {
  if (line.tooLong)
    return malformedRow(place, `is longer than ${MAX_ROW_BYTES} bytes; give one JSON value a line`);
  const bytes = withoutReturn(line.bytes);
  const encoding = encodingProblem(bytes, line.offset);
  if (encoding !== null) return malformedRow(place, encoding.problem, { byteOffset: encoding.at });
  const text = bytes.toString('utf8');
  if (text.trim() === '') return null;
  try {
    return { ...place, value: JSON.parse(text) as unknown };
  } catch (cause) {
    // A comma between the rows of an array that has lost its brackets says nothing else.
    if (text.trimEnd().endsWith(',')) {
      const value = parsed(text.trimEnd().slice(0, -1));
      if (value !== undefined) return { ...place, value };
    }
    return malformedRow(place, jsonProblem(bytes, text.trim(), first), {}, cause);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function jsonProblem(bytes: Buffer, text: string, first: boolean): string {
  const fault = jsonFault(bytes);
  const where = fault === null ? '' : ` at column ${columnOf(bytes, fault.at)} (expected ${fault.expected})`;
  const document = first && (text.startsWith('[') || text === '{');
  const advice = document
    ? 'the file must hold one JSON value a line (JSON Lines): write each value on one line (jq -c .), or name it .json if it is one JSON document'
    : bytes.includes(0)
      ? NUL_ADVICE
      : 'mend the line, or take it out';
  return `is not valid JSON${where}: ${quoteForMessage(text)}; ${advice}`;
}
