/**
 * Options of a suite, each defined once: the command line, its help, the API and the checks are all fed from the table.
 */
import { AuditError } from '../errors.ts';

interface OptionHead {
  readonly help: string;
}
export interface ChoiceOption<Choice extends string = string> extends OptionHead {
  readonly kind: 'choice';
  readonly choices: readonly Choice[];
  readonly default: NoInfer<Choice>;
  /** The default of the mode `reference`; default: `default`. */
  readonly reference?: NoInfer<Choice>;
  /** What runs did that were made before the suite had the option; default: `default`. */
  readonly before?: NoInfer<Choice>;
  /** What the choice comes to on a model, in words. Two runs are alike in it where that is the same, whatever was chosen. */
  readonly effect?: (choice: string, model: { readonly addsBos: boolean }) => string;
}
/** A whole number. */
export interface WholeOption extends OptionHead {
  readonly kind: 'whole';
  readonly least: number;
  readonly default: number;
  /** What help calls the value, such as `k`. */
  readonly unit: string;
}
/** A number, at least `least`. */
export interface NumberOption extends OptionHead {
  readonly kind: 'number';
  readonly least: number;
  readonly default: number;
  readonly unit: string;
}
export interface SwitchOption extends OptionHead {
  readonly kind: 'switch';
  readonly default: boolean;
}
export interface TextOption extends OptionHead {
  readonly kind: 'text';
  readonly default: string | null;
  readonly unit: string;
}

export type OptionDefinition = ChoiceOption | WholeOption | NumberOption | SwitchOption | TextOption;
export type OptionTable = Readonly<Record<string, OptionDefinition>>;

type ValueOf<Option extends OptionDefinition> = Option extends {
  kind: 'choice';
  choices: readonly (infer Choice)[];
}
  ? Choice
  : Option extends WholeOption | NumberOption
    ? number
    : Option extends SwitchOption
      ? boolean
      : Option extends { default: infer Default }
        ? string | (null extends Default ? null : never)
        : never;

/** The values of a table's options by their names. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>;
};

/** Which default an option has that was not given: a run's own, that of the mode `reference`, or that of older runs. */
export type DefaultOf = 'default' | 'reference' | 'before';

function defaultOf(option: OptionDefinition, of: DefaultOf): unknown {
  return option.kind === 'choice' ? (option[of] ?? option.default) : option.default;
}

/**
 * Every option's value: as given, or its default. Throws `bad_argument` for a name that the table does not have and
 * for a value of the wrong kind; `suite` is what messages call the table's owner.
 */
export function resolveOptions<Table extends OptionTable>(
  suite: string,
  table: Table,
  given: Readonly<Record<string, unknown>>,
  defaults: DefaultOf = 'default',
): OptionValues<Table> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined) {
    const known = Object.keys(table);
    const advice = known.length === 0 ? 'it has none' : `its options are ${known.join(', ')}`;
    throw new AuditError('bad_argument', `${suite} has no option "${unknown}"; ${advice}`, {
      suite,
      key: unknown,
    });
  }
  const values = Object.entries(table).map(([name, option]) => {
    const value = given[name] === undefined ? defaultOf(option, defaults) : given[name];
    const wanted = faultOf(option, value);
    if (wanted === null) return [name, value];
    const message = `${suite}: ${name} is ${JSON.stringify(value)}; give ${wanted}`;
    throw new AuditError('bad_argument', message, { suite, key: name });
  });
  return Object.fromEntries(values) as OptionValues<Table>;
}

/** What the option wants instead of `value`; null where it is good. */
function faultOf(option: OptionDefinition, value: unknown): string | null {
  switch (option.kind) {
    case 'choice':
      return option.choices.includes(value as string) ? null : option.choices.join(' or ');
    case 'whole':
      return Number.isSafeInteger(value) && (value as number) >= option.least
        ? null
        : `a whole number from ${option.least}`;
    case 'number':
      return Number.isFinite(value) && (value as number) >= option.least
        ? null
        : `a number from ${option.least}`;
    case 'switch':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'text':
      return typeof value === 'string' || (value === null && option.default === null) ? null : 'a text';
  }
}
