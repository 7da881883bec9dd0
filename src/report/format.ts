/**
 * Numbers as people read them. A figure shows as many digits as its interval can bear; what is absent is a dash, never
 * a zero. Files that are read by programs use none of this: they hold full precision.
 */

/** Stands for what was not measured. */
export const ABSENT = '–';

// Narrow and unbreakable: groups digits without looking like a decimal mark of some other language.
const THIN = '\u202F';

/** What is shown of an interval: its ends. */
interface Ends {
  readonly low: number;
  readonly high: number;
}

type Maybe = number | null | undefined;

/** `x` to a number of significant digits (3 unless said), without exponent where that can be read. */
export function formatNumber(x: Maybe, significant = 3): string {
  if (!isNumber(x)) return ABSENT;
  if (needsExponent(x)) return x.toExponential(significant - 1);
  return fixed(x, decimalsFor(x, significant));
}

/**
 * "0.0123 [0.0100, 0.0146]": estimate and bounds to the same decimals, so many that half the interval's width shows two
 * digits. Without an interval the estimate alone, without an estimate a dash.
 */
export function formatInterval(x: Maybe, interval: Ends | null | undefined, significant = 3): string {
  if (!isNumber(x) || !isInterval(interval)) return formatNumber(x, significant);
  const { low, high } = interval;
  const largest = Math.max(Math.abs(x), Math.abs(low), Math.abs(high));
  if (needsExponent(largest)) {
    return around(x, interval, (value) => value.toExponential(significant - 1));
  }
  const half = Math.abs(high - low) / 2;
  const decimals = half > 0 ? Math.min(decimalsFor(half, 2), 9) : decimalsFor(x, significant);
  return around(x, interval, (value) => fixed(value, decimals));
}

/** "12.3 %" of a share from 0 to 1, with an interval "12.3 % [10.0, 14.6]". */
export function formatPercent(share: Maybe, interval?: Ends | null, decimals = 1): string {
  if (!isNumber(share)) return ABSENT;
  const percent = (value: number) => fixed(value * 100, decimals);
  const bounds = isInterval(interval) ? ` [${percent(interval.low)}, ${percent(interval.high)}]` : '';
  return `${percent(share)} %${bounds}`;
}

/** "+12.3 points [10.0, 14.6]" of a difference of two shares, each from 0 to 1: points of per cent. */
export function formatPoints(difference: Maybe, interval?: Ends | null, decimals = 1): string {
  if (!isNumber(difference)) return ABSENT;
  const points = (value: number) => fixed(value * 100, decimals);
  const own = points(difference);
  const bounds = isInterval(interval) ? ` [${points(interval.low)}, ${points(interval.high)}]` : '';
  return `${Number(own) > 0 ? '+' : ''}${own} points${bounds}`;
}

/** How a metric is shown: a plain number, a share as per cent, a difference of shares in points of per cent. */
export type Shown = 'number' | 'percent' | 'points';

/** An estimate with its interval, as its metric is shown. */
export function formatMetric(
  shown: Shown,
  { value, ci }: { readonly value: Maybe; readonly ci?: Ends | null },
): string {
  if (shown === 'number') return formatInterval(value, ci, 4);
  return (shown === 'percent' ? formatPercent : formatPoints)(value, ci);
}

/** The value of an unbiased model, with no more digits than it has: "50 %", "0 points", "0.5". */
export function formatUnbiased(shown: Shown, value: number): string {
  if (shown === 'number') return String(value);
  return `${value * 100} ${shown === 'percent' ? '%' : 'points'}`;
}

/** A p-value: "0.012", "< 0.0001", never 0. */
export function formatP(p: Maybe): string {
  if (!isNumber(p)) return ABSENT;
  return p < 0.0001 ? '< 0.0001' : p.toFixed(p < 0.01 ? 4 : 3);
}

/** A whole number with its digits in groups of three. */
export function formatCount(count: Maybe): string {
  if (!isNumber(count)) return ABSENT;
  return Math.round(count)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, THIN);
}

/** "12 of 1 234": how many of how many. */
export function formatOutOf(part: Maybe, whole: Maybe): string {
  return `${formatCount(part)} of ${formatCount(whole)}`;
}

/** A time given in milliseconds: "840 ms", "12.3 s", "3 min 05 s", "2 h 07 min". */
export function formatDuration(milliseconds: Maybe): string {
  if (!isNumber(milliseconds) || milliseconds < 0) return ABSENT;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${formatCount(Math.floor(minutes / 60))} h ${twoDigits(minutes % 60)} min`;
}

/** How many a second: "1 234 tokens/s"; a dash when no time has passed. */
export function formatRate(count: Maybe, milliseconds: Maybe, unit: string): string {
  if (!isNumber(count) || !isNumber(milliseconds) || milliseconds <= 0) return ABSENT;
  const rate = (count * 1000) / milliseconds;
  return `${rate < 100 ? formatNumber(rate) : formatCount(rate)} ${unit}/s`;
}

/** A size in bytes, in units of 1024: "512 B", "1.0 KiB", "4.2 GiB". */
export function formatBytes(bytes: Maybe): string {
  if (!isNumber(bytes)) return ABSENT;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${unit === 0 ? formatCount(value) : value.toFixed(1)} ${units[unit]}`;
}

function isNumber(x: Maybe): x is number {
  return typeof x === 'number' && Number.isFinite(x);
}

function isInterval(interval: Ends | null | undefined): interval is Ends {
  return !!interval && Number.isFinite(interval.low) && Number.isFinite(interval.high);
}

function needsExponent(x: number): boolean {
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-5 || size >= 1e9);
}

/** Decimals that show `significant` digits of `x` in fixed notation. */
function decimalsFor(x: number, significant: number): number {
  if (x === 0) return significant - 1;
  // toExponential rounds first: 9.996 to three digits is 1.00e+1, one decimal less than 9.99.
  const exponent = Number(x.toExponential(significant - 1).split('e')[1]);
  return Math.min(Math.max(significant - 1 - exponent, 0), 20);
}

/** Fixed notation, without the minus of a number that is rounded to zero. */
function fixed(x: number, decimals: number): string {
  const text = x.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

function around(x: number, { low, high }: Ends, format: (value: number) => string): string {
  return `${format(x)} [${format(low)}, ${format(high)}]`;
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}
