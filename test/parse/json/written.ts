/** JSON values written as models write them: in their own quotes and spaces, with what a light repair mends. */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/parse/index.ts';

export interface Style {
  readonly quotes: readonly [string, string];
  readonly python: boolean;
  readonly trailing: boolean;
  readonly rawNewlines: boolean;
  readonly space: string;
}

export const STYLE: fc.Arbitrary<Style> = fc.record({
  quotes: fc.constantFrom(['"', '"'], ["'", "'"], ['“', '”'], ['‘', '’'], ['„', '“']) as fc.Arbitrary<
    [string, string]
  >,
  python: fc.boolean(),
  trailing: fc.boolean(),
  rawNewlines: fc.boolean(),
  space: fc.constantFrom('', ' ', '\n', '\n  ', '\t', '\r\n', '\u00a0'),
});

export const PLAIN: Style = {
  quotes: ['"', '"'],
  python: false,
  trailing: false,
  rawNewlines: false,
  space: '',
};

/** Words that a reader may trip over, and any others. */
/** Whole numbers that are written digit by digit and blur are kept as text: a case of their own. */
const isExact = (value: number) => !/^-?\d+$/.test(String(value)) || Number.isSafeInteger(value);

const WORD = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '{',
    '}',
    '[',
    ']',
    '{"a":1}',
    '</think>',
    '<think>',
    '```json\n{',
    '"',
    "it's",
    '“so”',
    ',',
  ),
  fc.constantFrom(': ', '\\', '\\n', 'True', 'NaN', '<|im_end|>', '1', '__proto__', '\n', '\t', ''),
  fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => !/[ĠĊ]/.test(text)),
);
const NUMBER = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact))
  .map((number) => (Object.is(number, -0) ? 0 : number));
const SCALAR: fc.Arbitrary<JsonValue> = fc.oneof(WORD, NUMBER, fc.boolean(), fc.constant(null));

const { value } = fc.letrec<{ value: JsonValue; list: JsonValue[]; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, SCALAR, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc
    .array(fc.tuple(WORD, tie('value')), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries)),
}));

/** Objects that are not empty. */
export const OBJECT: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(WORD, value), { minLength: 1, maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));

export function written(part: JsonValue, style: Style): string {
  const { space, python, trailing } = style;
  if (typeof part === 'string') return quoted(part, style);
  if (typeof part === 'number') return String(part);
  if (part === null) return python ? 'None' : 'null';
  if (part === true) return python ? 'True' : 'true';
  if (part === false) return python ? 'False' : 'false';
  const list = Array.isArray(part);
  const parts = list
    ? part.map((inner) => written(inner, style))
    : Object.entries(part as JsonObject).map(
        ([key, inner]) => `${quoted(key, style)}${space}:${space}${written(inner, style)}`,
      );
  const inside = parts.join(`${space},${space}`) + (trailing && parts.length > 0 ? ',' : '');
  return `${list ? '[' : '{'}${space}${inside}${space}${list ? ']' : '}'}`;
}

function quoted(text: string, { quotes, rawNewlines }: Style): string {
  const [open, close] = quotes;
  const closers = { '"': '"', "'": "'", '”': '“”', '“': '“”', '’': '‘’' }[close]!;
  const inside = [...text].map((character) => {
    if (rawNewlines && '\n\r\t'.includes(character)) return character;
    if (character === '\\' || closers.includes(character)) return `\\${character}`;
    return character < ' ' ? JSON.stringify(character).slice(1, -1) : character;
  });
  return `${open}${inside.join('')}${close}`;
}
