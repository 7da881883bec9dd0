/**
 * The reading of psych755-jjb, kept so that published numbers can be made again: what follows the last `</think>`, of
 * that the first object in a fence, else from the first "{" to the last "}", as strict JSON. Its faults are kept too:
 * prose with braces, two objects, and `</think>` inside a string break it.
 */
import { MAX_DEPTH } from './scan.ts';
import type { JsonAnswer, JsonValue, Note } from './types.ts';

const CLOSING_TAG = '</think>';
const FENCE_OPENS = /```(?:json)?\s*(?=\{)/i;
const FENCE_CLOSES = /\}\s*```/;
/** What Python's reader takes for numbers and JSON's does not, or what JSON's makes infinite. */
const NUMBER = /-?(?:Infinity|NaN|\d[\d.eE+-]*)/y;

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
  const { finite, notFinite, depth } = withoutNotFinite(json);
  if (depth > MAX_DEPTH) {
    return { status: 'invalid_json', message: `brackets are more than ${MAX_DEPTH} levels deep` };
  }
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

/** The text with null for each number that is not finite, strings left as they are; and how deep its brackets go. */
function withoutNotFinite(json: string): { finite: string; notFinite: boolean; depth: number } {
  const pieces: string[] = [];
  let from = 0;
  let open = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at]!;
    if (character === '"') {
      at = endOfString(json, at) - 1;
    } else if (character === '{' || character === '[') {
      open += 1;
      depth = Math.max(depth, open);
    } else if (character === '}' || character === ']') {
      open -= 1;
    } else {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(json)?.[0];
      if (number === undefined) continue;
      if (isNotFinite(number)) {
        pieces.push(json.slice(from, at), 'null');
        from = at + number.length;
      }
      at += number.length - 1;
    }
  }
  const finite = pieces.join('') + json.slice(from);
  return { finite, notFinite: pieces.length > 0, depth };
}

/** Digits that are no number at all are left to be refused. */
function isNotFinite(number: string): boolean {
  return /[IN]/.test(number) || Math.abs(Number(number)) === Infinity;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
