/** What a text that ends with a JSON object gives as its answer. */
import { extractJson, type JsonObject, type JsonValue } from '../json/index.ts';
import { LANGUAGES } from './lexicon.ts';

const ENDS_WITH_OBJECT = /\}\s*(?:`{3}\s*)?$/u;
const NAMES = new Set(
  [
    'option',
    'letter',
    'label',
    'choice',
    'output',
    'result',
    ...LANGUAGES.flatMap(({ answer = '' }) => answer.split('|')),
  ].map(folded),
);
/** Words beside the name that leave it one: "selected_option", "your answer". */
const BESIDE = /^(?:final|my|your|the|selected|chosen|correct|best|model|predicted|picked)+/u;

/** The answer in words, as the object has it; null where the text is no such object or names no answer. */
export function answerInJson(text: string, letters: readonly string[]): string | null {
  if (!ENDS_WITH_OBJECT.test(text.slice(-40))) return null;
  const found = extractJson(text, { several: 'last' });
  if (found.status !== 'ok' || !isObject(found.value)) return null;
  return answerOf(found.value, letters);
}

function answerOf(object: JsonObject, letters: readonly string[]): string | null {
  const entries = Object.entries(object);
  const named = entries.find(([key]) => isName(folded(key)));
  if (named !== undefined) return wordsOf(named[1], letters);
  // {"A": false, "B": true}
  const isTable = entries.every(
    ([key, value]) => letters.includes(key.toUpperCase()) && typeof value === 'boolean',
  );
  return isTable ? entries.flatMap(([key, value]) => (value === true ? [key] : [])).join(', ') : null;
}

function wordsOf(value: JsonValue, letters: readonly string[]): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((one) => wordsOf(one, letters)).join(', ');
  return isObject(value) ? (answerOf(value, letters) ?? '') : '';
}

function isName(key: string): boolean {
  return NAMES.has(key) || NAMES.has(key.replace(BESIDE, ''));
}

function folded(key: string): string {
  return key.toLowerCase().replace(/[\s_-]+/gu, '');
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
