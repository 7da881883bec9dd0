/**
 * The reading of psych755-jjb, kept so that published numbers can be made again: what follows the last `</think>`, of
 * that the first object in a fence, else from the first "{" to the last "}", as strict JSON. Its faults are kept too:
 * prose with braces, two objects, and `</think>` inside a string break it.
 */
import type { JsonAnswer, JsonValue, Note } from './types.ts';

const CLOSING_TAG = '</think>';
const FENCE_OPENS = /```(?:json)?\s*(?=\{)/i;
const FENCE_CLOSES = /\}\s*```/;
/** Strings, which are left as they are, and what Python's reader takes for numbers beyond JSON's. */
const STRING_OR_NOT_FINITE = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/gs;

/**
 * Reads the object in a text as psych755-jjb does. NaN and Infinity are let pass as null, with a note: where a whole
 * number is asked for, either is refused. Any text gives an answer or a fault, in time that grows with its length.
 */
export function extractOriginal(text: string): JsonAnswer {
  const spelt = text.replaceAll('Ġ', ' ').replaceAll('Ċ', '\n');
  const tag = spelt.lastIndexOf(CLOSING_TAG);
  const visible = tag === -1 ? spelt : spelt.slice(tag + CLOSING_TAG.length);
  const json = fenced(visible) ?? betweenBraces(visible);
  if (json === null) return { status: 'no_json', message: 'no object stands behind the last </think>' };
  let notFinite = false;
  const finite = json.replace(STRING_OR_NOT_FINITE, (token) => {
    if (token.startsWith('"')) return token;
    notFinite = true;
    return 'null';
  });
  let value: JsonValue;
  try {
    value = JSON.parse(finite) as JsonValue;
  } catch (thrown) {
    return { status: 'invalid_json', message: `not strict JSON: ${(thrown as Error).message}` };
  }
  const notes: Note[] = [];
  if (spelt !== text)
    notes.push({ code: 'bpe_markers', message: 'U+0120 and U+010A were read as space and line feed' });
  if (notFinite) notes.push({ code: 'nan_as_null', message: 'NaN or Infinity was read as null' });
  return { status: 'ok', value, repaired: false, repairs: [], notes };
}

/** From the "{" behind the first fence to the first "}" in front of one, null where there are not both. */
function fenced(text: string): string | null {
  const opens = FENCE_OPENS.exec(text);
  if (opens === null) return null;
  const from = opens.index + opens[0].length;
  const closes = FENCE_CLOSES.exec(text.slice(from));
  return closes === null ? null : text.slice(from, from + closes.index + 1);
}

function betweenBraces(text: string): string | null {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  return from === -1 || to < from ? null : text.slice(from, to + 1);
}
