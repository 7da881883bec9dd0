/**
 * The axes of an experiment of the bbq suite: what each may be, what it is unless said, and what each value means. Files,
 * commands, help and messages all go by this table; a row of it is all that a new value needs here.
 */
import { PLAIN_NAME } from '../../../catalog/index.ts';

interface AxisText {
  readonly meaning: string;
}

/** An axis of named values. */
interface Choice<V extends string> extends AxisText {
  readonly kind: 'choice';
  readonly values: Readonly<Record<V, string>>;
  readonly default: NoInfer<V>;
}

/** An axis that is true or false. */
interface Flag extends AxisText {
  readonly kind: 'flag';
  readonly values: { readonly true: string; readonly false: string };
  readonly default: boolean;
  /** Is it left out of rows where it is false? */
  readonly optional: boolean;
}

/** An axis that is a name of the user's; the name of the experiment unless said. */
interface Name extends AxisText {
  readonly kind: 'name';
  readonly pattern: RegExp;
  readonly wanted: string;
}

export type Axis = Choice<string> | Flag | Name;

function choice<V extends string>(
  meaning: string,
  values: Readonly<Record<V, string>>,
  byDefault: NoInfer<V>,
): Choice<V> {
  return { kind: 'choice', meaning, values, default: byDefault };
}

function flag(meaning: string, yes: string, no: string, byDefault: boolean): Flag {
  return { kind: 'flag', meaning, values: { true: yes, false: no }, default: byDefault, optional: false };
}

/** By the keys of the files, in the order in which they are written. */
export const AXES = {
  mode: choice(
    'how answers are decoded; reasoning is asked for when a run is started, with retry here',
    {
      default: 'as the model is set up, at temperature 0 unless the run says otherwise',
      temp: 'sampled at the temperature that the run is given',
    },
    'default',
  ),
  quant: flag(
    'whether the model is loaded quantised',
    'from a quantised file',
    'at the precision of the file that is given',
    false,
  ),
  fields: choice(
    'which columns of a row the texts come from',
    {
      masked: 'the *_masked columns, which name no demographic group, so that only the image can tell it',
      unmasked: 'the columns of BBQ as they are, groups named',
    },
    'masked',
  ),
  image: choice(
    'where the image comes from',
    {
      dataset: 'the image that belongs to the row',
      aug: 'a changed copy of it, of the augmentation that the run is given',
      blank: 'a white canvas',
      realworld: 'a photograph',
      none: 'no image: text alone',
    },
    'dataset',
  ),
  options: choice(
    'what the three answers say',
    {
      plain: 'the choices, from the columns that fields names',
      label: 'person A, person B, person C instead of those that name a person',
    },
    'plain',
  ),
  disambig: choice(
    'which column the disambiguating sentence comes from',
    { plain: 'disambig_context', masked: 'disambig_context_masked' },
    'plain',
  ),
  inject: flag(
    'whether names of groups are put back into the ambiguous context, to see what the masks keep out',
    'they are put back',
    'the context stays as it is',
    false,
  ),
  vo: flag(
    'whether there is a visual-only part: the question and the image, without a context',
    'it is run too',
    'it is left out',
    true,
  ),
  retry: flag(
    'whether an answer that cannot be read is asked for again, as long reasoning needs',
    'up to three attempts',
    'one attempt',
    false,
  ),
  token: {
    kind: 'name',
    meaning: 'what the folder of the results is called by, behind the name of the data: DATA_TOKEN',
    pattern: PLAIN_NAME,
    wanted: 'a name of letters, digits, _ and -',
  },
  text_only: {
    ...flag(
      'whether the model is opened for text alone',
      'no part for images is loaded',
      'as the model is',
      false,
    ),
    optional: true,
  },
  strip_image_ref: {
    ...flag(
      'whether " in the image" is taken out of the question',
      'it is taken out',
      'the question stays as it is',
      false,
    ),
    optional: true,
  },
} as const satisfies Readonly<Record<string, Axis>>;

export type AxisKey = keyof typeof AXES;

type Value<A> = A extends { kind: 'choice'; values: infer V }
  ? keyof V & string
  : A extends { kind: 'flag' }
    ? boolean
    : string;

/** The axes of one experiment as its file has them, none left out. */
export type AxisValues = { readonly [K in AxisKey]: Value<(typeof AXES)[K]> };

/** In the order of the table. */
export const AXIS_KEYS = Object.keys(AXES) as readonly AxisKey[];

export function isAxisKey(key: string): key is AxisKey {
  return Object.hasOwn(AXES, key);
}

/** What the axis may be, as a message says it: `masked or unmasked`. */
export function allowedValues(key: AxisKey): string {
  const axis: Axis = AXES[key];
  return axis.kind === 'name' ? axis.wanted : oneOf(valuesOf(axis));
}

/** The values of an axis that lists them, in the order of the table. */
export function valuesOf(axis: Exclude<Axis, Name>): readonly string[] {
  return Object.keys(axis.values);
}

/** What the value of that axis means; of a name of the user's, what the axis is. */
export function meaningOf(key: AxisKey, value: string | boolean): string {
  const axis: Axis = AXES[key];
  return axis.kind === 'name'
    ? axis.meaning
    : ((axis.values as Readonly<Record<string, string>>)[String(value)] ?? '');
}

/** What the axis is where a row leaves it out; `name` is that of the row. */
export function defaultOf(key: AxisKey, name: string): string | boolean {
  const axis: Axis = AXES[key];
  return axis.kind === 'name' ? name : axis.default;
}

export type ReadAxis =
  | { readonly ok: true; readonly value: string | boolean }
  | { readonly ok: false; readonly message: string };

// YAML 1.2 reads these as text; in the older YAML, and to people, they are true and false.
const SPOKEN: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  ['yes', true],
  ['no', false],
]);

/** A value of a file or of a command line as the axis reads it. The message continues the key. */
export function readAxis(key: AxisKey, raw: unknown): ReadAxis {
  const axis: Axis = AXES[key];
  if (axis.kind === 'flag') {
    const value = SPOKEN.get(raw);
    if (value !== undefined) return { ok: true, value };
  } else if (typeof raw === 'string') {
    const right = axis.kind === 'name' ? axis.pattern.test(raw) : Object.hasOwn(axis.values, raw);
    if (right) return { ok: true, value: raw };
  }
  if (axis.kind === 'name' && typeof raw === 'number') {
    return { ok: false, message: `is the number ${raw}; write a name in quotes: "${raw}"` };
  }
  const found = raw === undefined ? 'nothing' : (JSON.stringify(raw) ?? String(raw));
  return { ok: false, message: `is ${found}; give ${allowedValues(key)}` };
}

/** `a, b or c` */
export function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
