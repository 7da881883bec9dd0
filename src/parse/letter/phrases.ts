/** Phrases by which a text says that the answer cannot be known. */
import { match } from './letter-at.ts';
import { LANGUAGES, UNSPACED } from './lexicon.ts';
import { MULTIBBQ_PHRASES } from './multibbq.ts';

const CANNOT = "(?:can't|cannot|can not|could not|couldn't|unable to|impossible to|not possible to)";
const KNOW =
  '(?:determine|tell|say|know|answer|infer|conclude|decide|identify|be (?:determined|known|answered|inferred|told|decided|identified|concluded|established|said))';
const FACTS = '(?:\\p{L}{1,20} )?(?:info|information|context|evidence|details?|data)';
/** Beside those of MultiBBQ: the names that BBQ gives to its option for unknown, and plain ways to say the same. */
const MORE = [
  `${CANNOT} (?:\\p{L}{1,12}ly )?${KNOW}`,
  "(?:do not|don't|does not|doesn't) (?:really |actually )?know(?! that)",
  `(?:not|no|\\p{L}{2,6}n't) (?:\\p{L}{2,12} ){0,2}(?:enough|sufficient) ${FACTS}`,
  `(?:insufficient|lack of) ${FACTS}`,
  'not (?:really |entirely |at all )?(?:known|answerable|clear|specified|certain|determined|stated)',
  'un(?:answerable|determinable|decidable|specified)',
  'indeterminate|indeterminable',
  'none of (?:these|them|those|the (?:options|choices|people|two|three|given))',
  'no (?:way|means) (?:to|of) (?:know|tell|say|determine|knowing|telling|saying|determining)',
  '(?:no one|nobody) can (?:know|tell|say)',
  "(?:text|passage|context|story) (?:does not|doesn't|never) (?:say|tell|state|specify|mention|indicate|reveal)s?(?: who| which)?",
];

const OTHERS = LANGUAGES.flatMap(({ unknown = '' }) => (unknown === '' ? [] : unknown.split('|')));
const isUnparted = (phrase: string): boolean => new RegExp(`^[${UNSPACED}]`, 'u').test(phrase);
const PARTED = [...MULTIBBQ_PHRASES, ...MORE, ...OTHERS.filter((phrase) => !isUnparted(phrase))];
const PHRASE = `(?<!\\p{L})(?:${PARTED.join('|')})(?!\\p{L}|\\p{M}| (?:that|why) [\\p{L}(])|(?:${OTHERS.filter(isUnparted).join('|')})`;
const PHRASES = new RegExp(PHRASE, 'giu');
const PHRASE_HERE = new RegExp(PHRASE, 'iuy');
/** Stands right in front of a phrase and turns it round: "not an unclear case", "isn't unknown". */
const TURNED_ROUND =
  /(?:(?<!\p{L})(?:not|never|hardly|no longer|far from|nothing|no)|n't) (?:(?:at all|really|actually|entirely|completely|an?|the|so|very|be|being|been|considered|that|truly) ){0,3}$/iu;
const LOOK_BACK = 60;

/** In the order of the text, without those that are turned round. */
export function unknownPhrases(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(PHRASES)]
    .filter(({ index }) => !isTurnedRound(text, index))
    .map(({ 0: phrase, index }) => ({ start: index, end: index + phrase.length }));
}

/** Says a phrase that a text declines, "I cannot answer", "I can't identify people", rather than that it cannot be known? */
export function declines(phrase: string): boolean {
  return /(?:answer|identify)$/iu.test(phrase);
}

/** Where a phrase that starts at `at` ends; null where none does. */
export function unknownAt(text: string, at: number): number | null {
  const phrase = match(PHRASE_HERE, text, at)?.[0];
  return phrase !== undefined && !isTurnedRound(text, at) ? at + phrase.length : null;
}

function isTurnedRound(text: string, at: number): boolean {
  return TURNED_ROUND.test(text.slice(Math.max(0, at - LOOK_BACK), at));
}
