/** Digits with the signs for powers of ten of Chinese, Japanese and Korean: "3万5千", "2.5万", "1만 2천". */

const TENS: Readonly<Record<string, bigint>> = { 十: 10n, 百: 100n, 千: 1000n, 백: 100n, 천: 1000n };
const MYRIADS: Readonly<Record<string, bigint>> = {
  万: 10_000n,
  萬: 10_000n,
  만: 10_000n,
  亿: 100_000_000n,
  億: 100_000_000n,
  억: 100_000_000n,
};
const SIGNS = `${Object.keys(TENS).join('')}${Object.keys(MYRIADS).join('')}`;
/** Kilograms, kilometres and their like are units: the sign is a part of their names. */
const UNIT = '(?![克米瓦卡帕字赫伏升焦])';
const PART = `\\d[\\d,]{0,24}(?:\\.\\d{1,12})?[${SIGNS}]${UNIT}[${SIGNS}]?${UNIT}`;
const NUMERAL = new RegExp(`(?<![\\d.,])${PART}(?: ?${PART}){0,6}(?: ?\\d{1,4}(?![\\d.,]))?`, 'gu');
const TOKEN = new RegExp(`[\\d.]+|[${SIGNS}]`, 'gu');
const MOST_PLACES = 12n;

/** The text with such numerals as digits alone. */
export function plainMyriads(text: string): string {
  return text.replace(NUMERAL, (numeral) => decimal(numeral.replaceAll(',', '')) ?? numeral);
}

/** Reckoned in units of 10^-12, so that "1.1万" is exact. */
function decimal(numeral: string): string | null {
  const one = 10n ** MOST_PLACES;
  let [total, section, digits] = [0n, 0n, 0n];
  for (const token of numeral.match(TOKEN) ?? []) {
    const [ten, myriad] = [TENS[token], MYRIADS[token]];
    if (myriad !== undefined) {
      total += (section + digits) * myriad;
      [section, digits] = [0n, 0n];
    } else if (ten !== undefined) {
      section += (digits || one) * ten;
      digits = 0n;
    } else {
      const [whole, places = ''] = token.split('.') as [string, string?];
      digits = BigInt(whole + places.padEnd(Number(MOST_PLACES), '0'));
    }
  }
  const all = total + section + digits;
  return all % one === 0n ? String(all / one) : null;
}
