/** One statement of a text, where a number is expected: which number it gives, if it gives one. */
import { normaliseAnswer, plainMath, withoutOuter } from '../shared/answer/normalise.ts';
import { type NumberAt, numbersAt, type Separators } from '../shared/answer/number.ts';
import { cjkNumber } from './cjk-number.ts';
import { type Phrase, wordsOf } from './patterns.ts';

/** Where a number is expected "3,5" is no list, but "1,234" has thousands. */
const OPEN: Separators = { comma: 'either', point: 'decimal' };
const COMMA_AND_POINT: Separators = { comma: 'decimal', point: 'thousands' };
const COMMA_DECIMALS = /(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d|(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.])/;
const POINT_DECIMALS = /(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d|(?<![\d.,])\d{1,3}(?:,\d{3}){2,}(?![\d,])/;

/** How a text writes numbers, where its own numbers show it. */
export function separatorsShown(text: string): Separators | null {
  if (POINT_DECIMALS.test(text)) return OPEN;
  return COMMA_DECIMALS.test(text) ? COMMA_AND_POINT : null;
}

/** How a language writes numbers; English where it is not known. */
export function separatorsIn(language: Phrase | null): Separators {
  return language?.separators ?? OPEN;
}

const MINUS = new RegExp(`(?<![\\d)] ?)${wordsOf('minus')} ?(?=\\p{Sc}?\\d)`, 'giu');
const APART = /(^\s*|[=:(][^\S\n]*)- (?=\p{Sc}? ?[\d.])/gu;

/** Written plainly, each minus at its number. */
export function plainNumbers(text: string): string {
  return plainMath(text).replace(MINUS, '-').replace(APART, '$1-');
}

const OR = new RegExp(`^[^\\d.;!?\\n]{0,24}?(?:${wordsOf('or')}|\\/(?= ))[^\\d.;!?\\n]{0,24}$|^ ?- ?$`, 'iu');

/** Two numbers with "or" between them, or a range. */
export function areAlternatives(text: string, one: NumberAt, other: NumberAt): boolean {
  const between = text.slice(one.end, other.start);
  return one.value !== other.value && between.length <= 48 && OR.test(between);
}

const CORRECTION =
  /[,.;-] *(?:no,? )?(?:wait|sorry|oops|correction|i mean|make that|scratch that|or rather|actually)[,: ]/giu;
const CLAUSES = /,(?!\d)|;|、/u;
/** What is added in brackets. */
const ASIDE = /(?<=\d\S{0,12} (?:\p{L}{1,20} ){0,3})\(/u;
const LISTED = new RegExp(
  `^\\s*(?:(?:and|und|et|y|e|en|i|и|та|${wordsOf('or')})\\s)?(?:[\\p{L}]{1,2}\\s?=\\s?)?[-+]?\\p{Sc}?\\d`,
  'iu',
);

/** At the start of a statement that bounds a number and gives none. */
const BOUND =
  /^\W{0,8}(?:(?:more|less|fewer|greater|larger|smaller|higher|lower|bigger) than|mehr als|weniger als|größer als|kleiner als|plus de|moins de|más de|menos de|mayor que|menor que|mais de|maior que|più di|meno di|meer dan|minder dan|больше|меньше|więcej niż|mniej niż|大于|小于|超过|少于)(?= ?\p{Sc}?\d)|(?<![<>])[<>](?![<>=])|[\u2264\u2265]|\\[gl](?:t|eq?)(?![a-z])/iu;
/** A sum put off to the end of its sentence: "3/4 of 20, which is 15". */
const RESULT =
  /^\s*(?:which (?:is|equals|gives|makes|comes to)|that is|i\.e\.|making|giving|so)(?![\p{L}])/iu;
const MARKUP = /<\/?[a-z]{1,10}>/giu;
const FOOTNOTE = /(?<=[\d.\p{L})*]) ?\[\^?\d{1,3}\](?!\()/gu;
/** "12 of the 15 eggs". */
const SHARE = / of (?:the|all|his|her|their|these|those) \d[\d.,]* /iu;

/** The one number of a part, the same one several times included; null of none and of several. */
export function single(part: string, separators: Separators): string | null {
  const numbers = numbersAt(part, separators);
  const [first] = numbers;
  return first && numbers.every(({ value }) => value === first.value) ? first.value : null;
}

/** The text in front of a reason, if a number is there. */
export function withoutReason(text: string, language: Phrase | null): string {
  const at = language?.because ? text.search(language.because) : -1;
  return at !== -1 && /\d/.test(text.slice(0, at)) ? text.slice(0, at) : text;
}

/**
 * The number that a statement gives, in its one spelling: the only one of its first clause that has any, on a side of
 * an equals sign if there is one ("x = 17 apples, 3 more than 14"). Null where that is not one number: "7 or 8", "3, 4".
 */
export function numberSaid(
  statement: string,
  separators: Separators,
  language: Phrase | null = null,
): string | null {
  let text = plainNumbers(statement.replace(MARKUP, ' ')).replace(FOOTNOTE, '').replace(SHARE, ' of ');
  for (const { 0: match, index } of text.matchAll(CORRECTION)) {
    if (/\d/.test(text.slice(index + match.length))) text = text.slice(index + match.length);
    break;
  }
  text = withoutReason(text, language).split(ASIDE, 1)[0]!;
  const whole = normaliseAnswer(text);
  const clauses = text.split(CLAUSES);
  const at = clauses.findIndex((clause) => /\d/.test(clause));
  if (at === -1) return cjkNumber(withoutOuter(text));
  const clause = clauses[at]!;
  if (BOUND.test(clause)) return null;
  const all = numbersAt(text, separators);
  const isReckoned = ({ end }: NumberAt) => /^ ?=/.test(text.slice(end, end + 2));
  const isOther = (number: NumberAt, place: number) =>
    place > 0 && !isReckoned(number) && areAlternatives(text, all[place - 1]!, number);
  if (all.some(isOther)) return null;
  const next = clauses[at + 1];
  if (next !== undefined && LISTED.test(next) && single(text, separators) === null) return null;
  const result = clauses.slice(at + 1).find((later) => RESULT.test(later) && single(later, separators));
  if (result !== undefined && single(clause, separators) === null) return single(result, separators);
  if (/^[([{]/.test(whole) && all.length > 1) return null;
  const [exact, near] = clause.split(/≈|\\approx/, 2) as [string, string?];
  if (near !== undefined)
    return single(exact.slice(exact.lastIndexOf('=') + 1), separators) ?? single(near, separators);
  return clause
    .split('=')
    .reverse()
    .reduce<string | null>((found, side) => found ?? single(side, separators), null);
}
