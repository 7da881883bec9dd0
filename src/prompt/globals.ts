/**
 * What a template may call. Each is bounded and gives the same for the same input: `range` is short, dates come from
 * an option and are written in English and UTC on every machine.
 */

/** A template's own refusal, as against a fault in running it. */
export class TemplateRefusal extends Error {}

/** Far above what a chat needs: a longer range is a loop that is meant to hang. */
const MAX_RANGE = 100_000;

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** `raise_exception(message)`: how templates refuse a chat, such as one with a system message. */
export function raiseException(message: unknown): never {
  throw new TemplateRefusal(String(message));
}

/** Python's `range`; at most {@link MAX_RANGE} numbers. */
export function range(first: number, last?: number, step = 1): number[] {
  const [from, to] = last === undefined ? [0, first] : [first, last];
  const length = Math.max(0, Math.ceil((to - from) / step));
  if (!(length <= MAX_RANGE)) throw new Error(`range() gives at most ${MAX_RANGE} numbers`);
  return Array.from({ length }, (_, index) => from + index * step);
}

/** Python's `strftime` for the directives of dates and times; others are an error, not a guess. */
export function strftime(date: Date, format: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = date.getUTCHours();
  const values: Readonly<Record<string, string>> = {
    Y: String(date.getUTCFullYear()),
    y: two(date.getUTCFullYear() % 100),
    m: two(date.getUTCMonth() + 1),
    d: two(date.getUTCDate()),
    e: String(date.getUTCDate()).padStart(2),
    B: MONTHS[date.getUTCMonth()]!,
    b: MONTHS[date.getUTCMonth()]!.slice(0, 3),
    A: DAYS[date.getUTCDay()]!,
    a: DAYS[date.getUTCDay()]!.slice(0, 3),
    H: two(hours),
    I: two(hours % 12 || 12),
    p: hours < 12 ? 'AM' : 'PM',
    M: two(date.getUTCMinutes()),
    S: two(date.getUTCSeconds()),
    Z: 'UTC',
    z: '+0000',
    '%': '%',
  };
  return format.replace(/%(-?)(.?)/gsu, (directive, unpadded: string, letter: string) => {
    const value = values[letter];
    if (value === undefined) throw new Error(`strftime_now() does not know "${directive}"`);
    return unpadded ? value.replace(/^[0 ](?=\d)/, '') : value;
  });
}
