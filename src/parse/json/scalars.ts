/** Numbers and words of a text that is JSON or close to it. */
import type { EditSink } from './strings.ts';

export type ScalarScan =
  | { readonly ok: true; readonly end: number }
  | {
      readonly ok: false;
      readonly at: number;
      readonly cut: boolean;
      readonly expected: string;
      /** What stands there stands for a value, as in a description: `...`, `<int>`, string. */
      readonly placeholder: boolean;
    };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What could still become a number, if more followed. */
const NUMBER_TAIL = /[-+.\deE]*/y;
const WORD = /[\p{L}\p{N}_$]+/uy;
const PLACEHOLDER = /[<….*?]|\p{L}/uy;

/** Python's spelling of JSON's words. */
const PYTHON = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);
const WORDS = ['true', 'false', 'null', ...PYTHON.keys()];
/** As programs write what is no number, or one without end. */
const NOT_FINITE = /[-+]?(?:nan|infinity|inf)(?![\p{L}\p{N}_$])/iuy;
const INTEGER = /^-?\d+$/;

/** Reads the number or word at `at`. */
export function scanScalar(text: string, at: number, sink: EditSink): ScalarScan {
  const notFinite = match(NOT_FINITE, text, at);
  if (notFinite !== null) {
    sink.number(at, at + notFinite.length, 'non_finite_number');
    return { ok: true, end: at + notFinite.length };
  }
  const number = match(NUMBER, text, at);
  if (number !== null) return scanNumber(text, at, number, sink);
  const word = match(WORD, text, at);
  if (word === null) {
    if (text[at] === '-' && at + 1 === text.length) return broken(text.length, 'a digit', { cut: true });
    if (text[at] === '-') return broken(at, 'a number');
    return broken(at, 'a value', { placeholder: match(PLACEHOLDER, text, at) !== null });
  }
  const end = at + word.length;
  const python = PYTHON.get(word);
  if (python !== undefined) sink.edit(at, end, python, 'python_literals');
  if (WORDS.includes(word)) return { ok: true, end };
  if (end === text.length && WORDS.some((whole) => whole.startsWith(word))) {
    return broken(end, 'the rest of a word', { cut: true });
  }
  return broken(at, 'a value', { placeholder: match(PLACEHOLDER, text, at) !== null });
}

function scanNumber(text: string, at: number, number: string, sink: EditSink): ScalarScan {
  const end = at + number.length;
  const tail = match(NUMBER_TAIL, text, end) ?? '';
  if (tail !== '' && end + tail.length === text.length) {
    return broken(text.length, 'the rest of a number', { cut: true });
  }
  if (tail !== '') return broken(end, 'a number as JSON writes it');
  const value = Number(number);
  // A value of the text, or none: not 0 for what is only close to it.
  if (value === 0 && /^-?[\d.]*[1-9]/.test(number)) return broken(at, 'a number that fits in 64 bits');
  if (INTEGER.test(number) && !Number.isSafeInteger(value)) sink.number(at, end, 'unsafe_integer');
  else if (!Number.isFinite(value)) sink.number(at, end, 'non_finite_number');
  return { ok: true, end };
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  return found === undefined || found === '' ? null : found;
}

function broken(at: number, expected: string, { cut = false, placeholder = false } = {}): ScalarScan {
  return { ok: false, at, cut, expected, placeholder };
}
