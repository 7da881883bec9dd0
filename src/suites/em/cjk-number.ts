/** Whole numbers in Chinese numerals ("十八", "三百二十", "二〇二四"), as Chinese and Japanese answers have them. */

const DIGITS = new Map([...'〇一二三四五六七八九'].map((digit, value) => [digit, value]));
DIGITS.set('零', 0).set('两', 2).set('兩', 2);
const TENS = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
const MYRIADS = new Map([
  ['万', 1e4],
  ['萬', 1e4],
  ['亿', 1e8],
  ['億', 1e8],
]);
/** Alone, or with what is counted and how the sentence ends. */
const NUMERAL =
  /^(负|負|マイナス)?([〇零一二两兩三四五六七八九十百千万萬亿億]{1,20})(?:[^\p{N}〇零一二三四五六七八九十]{0,8})$/u;

/** The number that a text is but for its unit, null of any other text. */
export function cjkNumber(text: string): string | null {
  const [, minus, numeral] = NUMERAL.exec(text) ?? [];
  if (numeral === undefined) return null;
  const value = /[十百千万萬亿億]/.test(numeral) ? counted(numeral) : spelt(numeral);
  return value === null ? null : `${minus && value !== '0' ? '-' : ''}${value}`;
}

/** Digit by digit. */
function spelt(numeral: string): string {
  return String(Number([...numeral].map((digit) => DIGITS.get(digit)).join('')));
}

/** By places: thousands within myriads ("三百二十", "一万二千"). */
function counted(numeral: string): string | null {
  let total = 0;
  let section = 0;
  let digit = 0;
  let least = Infinity;
  for (const sign of numeral) {
    const myriad = MYRIADS.get(sign);
    if (myriad === undefined) {
      const ten = TENS.get(sign);
      section += ten === undefined ? 0 : (digit || 1) * ten;
      digit = ten === undefined ? DIGITS.get(sign)! : 0;
      continue;
    }
    if (myriad >= least || section + digit === 0) return null;
    least = myriad;
    total += (section + digit) * myriad;
    section = 0;
    digit = 0;
  }
  return String(total + section + digit);
}
