/**
 * Characters that stand for others: digits of every script, minus signs, spaces, apostrophes and separators brought to
 * those of ASCII, and characters without a width removed. No word of a text is changed by it.
 */

/** Joiners, marks of direction, soft hyphens, byte-order marks: what is there and cannot be seen. */
const INVISIBLE = /\p{Cf}/gu;
const DIGIT = /\p{Nd}/u;
const OTHER_DIGITS = /[^\P{Nd}0-9]/gu;
/** No-break, thin and other spaces within a line. */
const ODD_SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
/** Minus signs and dashes: hyphens, figure, en and em dash, horizontal bar, minus, superscript none, small, full-width. */
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const APOSTROPHES = /[\u00b4\u02b9\u02bc\u2018\u2019\uff07]/g;
/** A full-width comma ends a clause, unless it parts thousands. */
const WIDE_COMMA = /\uff0c(?!\d{3}(?!\d))/g;

/** The value of a decimal digit: Unicode has them in tens, which begin at a code point that ends in 0 or in 6. */
function asciiDigit(digit: string): string {
  const compatible = digit.normalize('NFKC');
  if (/^\d$/.test(compatible)) return compatible;
  const code = digit.codePointAt(0)!;
  const low = code & 15;
  const fromZero = low < 6 || (low < 10 && DIGIT.test(String.fromCodePoint(code - low)));
  return String(fromZero ? low : low - 6);
}

export function plainCharacters(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(OTHER_DIGITS, asciiDigit)
    .replace(ODD_SPACES, ' ')
    .replace(DASHES, '-')
    .replace(APOSTROPHES, "'")
    .replace(WIDE_COMMA, ', ')
    .replace(/\uff0c/g, ',')
    .replace(/\uff0e/g, '.')
    .replace(/\uff1a/g, ': ')
    .replace(/\u066c/g, ',')
    .replace(/\u066b/g, '.')
    .replace(/[\u066a\uff05]/g, '%');
}
