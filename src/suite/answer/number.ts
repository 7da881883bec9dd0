/**
 * Numbers as answers write them, each brought to one spelling: a decimal without needless zeros where there is one
 * ("17", "-0.5"), else a fraction in lowest terms ("1/3"). Texts in, texts out: nothing is rounded or evaluated.
 */

/** Longer fractions stay text: lowest terms need big integers, and these grow dear. */
const FRACTION_DIGITS = 100;

const THOUSANDS = /^([-+]?)(\d{1,3}(?:,\d{3})+)(?=$|\.)/;
const DECIMAL = /^([-+]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;
const FRACTION = /^([-+]?)(?:(\d+) )?(\d+)\/(\d+)$/;
/** Digits with all that may belong to them. */
const WITHIN = /[-+$€£¥]{0,3}(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:\/\d+)?%?/g;
const PART_OF_WORD = /[\p{L}\p{N}_]$/u;
const TAKES_DASH = /[\p{L}\p{N}_)\]]$/u;

/** The one spelling of a text that is a number and nothing else (currency and per cent sign aside); null of any other. */
export function numberOf(text: string): string | null {
  const bare = text
    .replace(/^([-+]?) ?[$€£¥] ?([-+]?)/, '$1$2')
    .replace(/ ?%$/, '')
    .replace(THOUSANDS, (_, sign: string, digits: string) => sign + digits.replaceAll(',', ''));
  const decimal = DECIMAL.exec(bare);
  if (decimal) return decimalOf(decimal[1] === '-', decimal[2] ?? '0', decimal[3] ?? decimal[4] ?? '');
  const fraction = FRACTION.exec(bare);
  if (fraction && bare.length <= FRACTION_DIGITS) {
    const [, sign, whole = '0', top, bottom] = fraction;
    return fractionOf(sign === '-', BigInt(whole), BigInt(top!), BigInt(bottom!));
  }
  return null;
}

/** The numbers within a text as they stand in it; no digits of words, and no minus that is a dash ("3-5"). */
export function numbersIn(text: string): string[] {
  const found: string[] = [];
  for (const { 0: match, index } of text.matchAll(WITHIN)) {
    const digitsAt = match.search(/[\d.]/);
    const before = text.slice(Math.max(0, index - 2), index);
    if (digitsAt === 0 && PART_OF_WORD.test(before)) continue;
    const whole = TAKES_DASH.test(before) ? match.slice(digitsAt) : match;
    const trimmed = whole.replace(/,+$/, '');
    // "1,2,3" is a list, "1,234" is a number.
    if (numberOf(trimmed) !== null) found.push(trimmed);
    else found.push(...trimmed.split(',').filter((part) => numberOf(part) !== null));
  }
  return found;
}

function decimalOf(negative: boolean, whole: string, places: string): string {
  const left = whole.slice(zerosAtStart(whole)) || '0';
  const right = places.slice(0, places.length - zerosAtEnd(places));
  const size = right === '' ? left : `${left}.${right}`;
  return negative && size !== '0' ? `-${size}` : size;
}

// Loops, because a pattern that is tied to the end alone looks again from every place.
function zerosAtStart(digits: string): number {
  let count = 0;
  while (digits[count] === '0') count += 1;
  return count;
}

function zerosAtEnd(digits: string): number {
  let count = 0;
  while (count < digits.length && digits[digits.length - 1 - count] === '0') count += 1;
  return count;
}

/** whole + top / bottom; null for a bottom of 0. */
function fractionOf(negative: boolean, whole: bigint, top: bigint, bottom: bigint): string | null {
  if (bottom === 0n) return null;
  const all = whole * bottom + top;
  const shared = commonDivisor(all, bottom);
  const [numerator, denominator] = [all / shared, bottom / shared];
  const places = decimalPlaces(denominator);
  if (places === null) return `${negative ? '-' : ''}${numerator}/${denominator}`;
  const digits = String((numerator * 10n ** BigInt(places)) / denominator).padStart(places + 1, '0');
  const point = digits.length - places;
  return decimalOf(negative, digits.slice(0, point), digits.slice(point));
}

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : commonDivisor(b, a % b);
}

/** Places that a fraction in lowest terms has as a decimal; null where they do not end. */
function decimalPlaces(denominator: bigint): number | null {
  let [rest, twos, fives] = [denominator, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : null;
}
