/**
 * Numbers as answers write them, each brought to one spelling: a decimal without needless zeros where there is one
 * ("17", "-0.5"), else a fraction in lowest terms ("1/3"). Texts in, texts out: nothing is rounded or evaluated.
 *
 * Comma and point are read by {@link Separators} where one of them alone could be either ("1,234", "1.234"); several
 * groups, or both in one number, say by themselves which is which.
 */

/** Longer fractions stay text: lowest terms need big integers, and these grow dear. */
const FRACTION_DIGITS = 100;
/** Powers of ten that are written out. */
const MOST_ZEROS = 400;

/** What a comma and a point mean where nothing else decides. */
export interface Separators {
  /** `thousands`: "3,5" is a list. `either`: "1,234" has thousands, "3,5" is a decimal. */
  readonly comma: 'thousands' | 'either' | 'decimal';
  readonly point: 'decimal' | 'thousands';
}

/** As English and program code write numbers. */
export const ENGLISH: Separators = { comma: 'thousands', point: 'decimal' };

export interface NumberAt {
  readonly start: number;
  readonly end: number;
  /** Its one spelling. */
  readonly value: string;
}

/** Digits with all that may group them. */
const CHAIN = /\d+(?:[ .,'_]\d+)*/g;
const BY_SPACE = /^[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d+)?$/;
const BY_COMMA = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
const BY_LAKH = /^[1-9]\d?(?:,\d\d)+,\d{3}(?:\.\d+)?$/;
const BY_POINT = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/;
const BY_APOSTROPHE = /^[1-9]\d{0,2}(?:'\d{3})+(?:[.,]\d+)?$/;
const BY_UNDERSCORE = /^[1-9]\d{0,2}(?:_\d{3})+(?:\.\d+)?$/;
const TWO_RUNS = /^\d+[.,]\d+$/;

const EXPONENT = /[eE]([-+]?\d{1,3})(?![\p{L}\d.])| ?[×x*·⋅] ?10(?:\^|\*\*)[({]?([-+]?\d{1,3})(?!\d)[)}]?/uy;
/** Behind a 10. */
const POWER = /(?:\^|\*\*)[({]?([-+]?\d{1,3})(?![\d.])[)}]?/y;
/** Words for powers of ten that mean the same in all languages that have them. */
const SCALES: readonly (readonly [RegExp, number])[] = [
  [
    / ?(?:thousand|tausend|mila|duizend|tusen|ribu|nghìn|ngàn|тысяч[аиу]?|тис(?:яч[аі]?)?\.?)(?![\p{L}])/iuy,
    3,
  ],
  [
    / ?(?:million|millionen|millions|millones|millón|milhões|milhão|milione|milioni|miljoen|miljon|miljoner|millioner|milion|miliony|milionów|milyon|milioane|миллион(?:а|ов)?|мільйон(?:а|ів)?|juta|triệu|ล้าน|মিলিয়ন|مليون)(?![\p{L}])/iuy,
    6,
  ],
  [
    / ?(?:billion|milliarden?|milliards?|miliardi?|miljard|milyar|миллиард(?:а|ов)?|tỷ|مليار)(?![\p{L}])/iuy,
    9,
  ],
  [/ ?(?:lakhs?|लाख|লাখ|লক্ষ|లక్షల?ు?)(?![\p{L}\p{M}])/iuy, 5],
  [/ ?(?:crores?|करोड़|কোটি|కోట్లు|కోటి)(?![\p{L}\p{M}])/iuy, 7],
];
const DENOMINATOR = /\/(\d+)(?![\d/])/y;
const PER_CENT = / ?%/y;
const CURRENCY = /\p{Sc}/u;
/** Letters of scripts that put spaces between words: digits right behind them belong to the word ("H2O"). */
const PART_OF_WORD = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}_]$/u;
const TAKES_DASH = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_)\]]$/u;

/** A run of digits that is one number, still without its sign. */
interface Size {
  readonly start: number;
  readonly end: number;
  readonly whole: string;
  readonly places: string;
}

/** The one spelling of a text that is a number and nothing else (currency and per cent sign aside); null of any other. */
export function numberOf(text: string, separators = ENGLISH): string | null {
  const [only, second] = numbersAt(text, separators);
  return only && !second && only.start === 0 && only.end === text.length ? only.value : null;
}

/** The numbers within a text as they stand in it; no digits of words, and no minus that is a dash ("3-5"). */
export function numbersIn(text: string, separators = ENGLISH): string[] {
  return numbersAt(text, separators).map(({ start, end }) => text.slice(start, end));
}

/** The numbers within a text, each with its place. Characters are taken for those of ASCII only. */
export function numbersAt(text: string, separators = ENGLISH): NumberAt[] {
  const found: NumberAt[] = [];
  let behind = 0;
  for (const { 0: chain, index } of text.matchAll(CHAIN)) {
    const sizes = sizesIn(chain, index, within(text, index, index + chain.length, separators));
    for (const [at, size] of sizes.entries()) {
      if (size.start < behind || isRatio(text, size)) continue;
      const front = inFront(text, size);
      if (front === null) continue;
      const last = at === sizes.length - 1;
      const whole = last ? null : mixedWith(text, size, sizes[at + 1]!, at === sizes.length - 2);
      const { end, value } = whole ?? finish(text, front.size, last);
      behind = Math.max(behind, end);
      if (value !== null) found.push({ start: front.start, end, value: signed(value, front.negative) });
    }
  }
  return found;
}

/** A part of a ratio or of a time: "3:4", "15:30". */
function isRatio(text: string, { start, end }: Size): boolean {
  return /^:\d/.test(text.slice(end, end + 2)) || /\d:$/.test(text.slice(Math.max(0, start - 2), start));
}

/** In brackets a comma parts the members of a pair. */
function within(text: string, start: number, end: number, separators: Separators): Separators {
  const bracketed = /[([{]/.test(text[start - 1] ?? '') && /[)\]}]/.test(text[end] ?? '');
  return bracketed && separators.comma === 'either' ? { ...separators, comma: 'thousands' } : separators;
}

function sizesIn(chain: string, at: number, separators: Separators): Size[] {
  if (BY_SPACE.test(chain)) return [sizeOf(chain, at, /[.,]/)];
  const sizes: Size[] = [];
  let start = at;
  for (const piece of chain.split(' ')) {
    const whole = pieceOf(piece, start, separators);
    // One at a time: as the arguments of one call a long list overflows the stack.
    for (const size of whole ? [whole] : listed(piece, start)) sizes.push(size);
    start += piece.length + 1;
  }
  return sizes;
}

/** A piece without spaces as one number; null where it is several, or none. */
function pieceOf(piece: string, at: number, { comma, point }: Separators): Size | null {
  if (TWO_RUNS.test(piece)) {
    const byComma = piece.includes(',');
    const groups = (byComma ? BY_COMMA : BY_POINT).test(piece);
    if (!byComma) return sizeOf(piece, at, groups && point === 'thousands' ? null : /\./);
    if (groups && comma !== 'decimal') return sizeOf(piece, at, null);
    return comma === 'thousands' ? null : sizeOf(piece, at, /,/);
  }
  if (BY_COMMA.test(piece) || BY_LAKH.test(piece)) return sizeOf(piece, at, /\./);
  if (BY_POINT.test(piece)) return sizeOf(piece, at, /,/);
  if (BY_APOSTROPHE.test(piece)) return sizeOf(piece, at, /[.,]/);
  if (BY_UNDERSCORE.test(piece)) return sizeOf(piece, at, /\./);
  return /^\d+$/.test(piece) ? sizeOf(piece, at, null) : null;
}

/** "1,2,3" is a list; "1.2.3" names a section or a day and is no number. */
function listed(piece: string, at: number): Size[] {
  const sizes: Size[] = [];
  let start = at;
  for (const part of piece.split(/[,'_]/)) {
    const size = pieceOf(part, start, ENGLISH);
    if (size) sizes.push(size);
    start += part.length + 1;
  }
  return sizes;
}

function sizeOf(written: string, start: number, decimal: RegExp | null): Size {
  const end = start + written.length;
  const at = decimal === null ? -1 : written.search(decimal);
  const digits = (part: string) => part.replace(/\D/g, '');
  if (at === -1) return { start, end, whole: digits(written), places: '' };
  return { start, end, whole: digits(written.slice(0, at)), places: digits(written.slice(at + 1)) };
}

/** The power of a unit: "m^2". */
const POWER_OF_UNIT = /\p{L} ?\^\{?$/u;

/** Where a number begins with its sign, currency and leading point; null where its digits belong to a word or a unit. */
function inFront(text: string, size: Size): { start: number; negative: boolean; size: Size } | null {
  let start = size.start;
  let own = size;
  const beforePoint = text[start - 2] ?? '';
  if (text[start - 1] === '.' && size.places === '' && !/[\p{L}\p{N}_.)\]]/u.test(beforePoint)) {
    start -= 1;
    own = { ...size, whole: '0', places: size.whole };
  }
  let sign = '';
  const takeSign = () => {
    const at = start - 1;
    if (sign !== '' || !/[-+]/.test(text[at] ?? '')) return;
    if (TAKES_DASH.test(text.slice(Math.max(0, at - 2), at))) return;
    sign = text[at]!;
    start = at;
  };
  takeSign();
  const space = text[start - 1] === ' ' ? 1 : 0;
  if (CURRENCY.test(text[start - 1 - space] ?? '')) {
    start -= 1 + space;
    takeSign();
  }
  const before = text.slice(Math.max(0, start - 3), start);
  if (start === size.start && PART_OF_WORD.test(before)) return null;
  if (POWER_OF_UNIT.test(before)) return null;
  return { start, negative: sign === '-', size: own };
}

interface Finished {
  readonly end: number;
  /** Without its sign; null of what is no number, or too long a one. */
  readonly value: string | null;
}

/** With what may follow the digits: an exponent, the other half of a fraction, a per cent sign. */
function finish(text: string, { end, whole, places }: Size, last: boolean): Finished {
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  let at = end;
  let value: string | null = null;
  const exponent = last ? match(EXPONENT, at) : null;
  const denominator = last && exponent === null && places === '' ? match(DENOMINATOR, at) : null;
  if (exponent !== null) {
    at += exponent[0].length;
    value = timesPowerOfTen(whole, places, Number(exponent[1] ?? exponent[2]));
  } else if (denominator !== null) {
    at += denominator[0].length;
    value = fraction('0', whole, denominator[1]!);
  } else {
    const power = last && whole === '10' && places === '' ? match(POWER, at) : null;
    const scale = last && power === null ? scaleAt(text, at) : null;
    at += power?.[0].length ?? scale?.length ?? 0;
    if (power !== null) value = timesPowerOfTen('1', '', Number(power[1]));
    else value = scale ? timesPowerOfTen(whole, places, scale.zeros) : decimalOf(whole, places);
  }
  return { end: at + (match(PER_CENT, at)?.[0].length ?? 0), value };
}

function scaleAt(text: string, at: number): { length: number; zeros: number } | null {
  for (const [pattern, zeros] of SCALES) {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length;
    if (length !== undefined) return { length, zeros };
  }
  return null;
}

/** "1 1/2": a whole number, then a fraction behind one space. */
function mixedWith(text: string, first: Size, next: Size, nextIsLast: boolean): Finished | null {
  if (!nextIsLast || first.places !== '' || next.places !== '' || next.start !== first.end + 1) return null;
  if (text[first.end] !== ' ') return null;
  DENOMINATOR.lastIndex = next.end;
  const denominator = DENOMINATOR.exec(text);
  if (denominator === null) return null;
  return { end: next.end + denominator[0].length, value: fraction(first.whole, next.whole, denominator[1]!) };
}

function signed(value: string, negative: boolean): string {
  return negative && value !== '0' ? `-${value}` : value;
}

function timesPowerOfTen(whole: string, places: string, power: number): string | null {
  if (Math.abs(power) > MOST_ZEROS) return null;
  const digits = whole + places;
  const point = whole.length + power;
  if (point <= 0) return decimalOf('0', '0'.repeat(-point) + digits);
  return decimalOf(digits.slice(0, point).padEnd(point, '0'), digits.slice(point));
}

function decimalOf(whole: string, places: string): string {
  const left = whole.slice(zerosAtStart(whole)) || '0';
  const right = places.slice(0, places.length - zerosAtEnd(places));
  return right === '' ? left : `${left}.${right}`;
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

/** whole + top / bottom; null for a bottom of 0, and for more digits than are reckoned with. */
function fraction(whole: string, top: string, bottom: string): string | null {
  if (whole.length + top.length + bottom.length > FRACTION_DIGITS) return null;
  const denominator = BigInt(bottom);
  if (denominator === 0n) return null;
  const all = BigInt(whole) * denominator + BigInt(top);
  const shared = commonDivisor(all, denominator);
  const [above, below] = [all / shared, denominator / shared];
  const places = decimalPlaces(below);
  if (places === null) return `${above}/${below}`;
  const digits = String((above * 10n ** BigInt(places)) / below).padStart(places + 1, '0');
  const point = digits.length - places;
  return decimalOf(digits.slice(0, point), digits.slice(point));
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
