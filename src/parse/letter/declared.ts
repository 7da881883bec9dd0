/** Answers that a text declares: "The answer is B", "I choose (c)", "B is correct", \boxed{A}, "... so B." */
import { type Claim, TIER } from './claims.ts';
import { isRefuted } from './letter-at.ts';
import { type Found, lettersAt } from './letters.ts';
import type { Offer } from './offer.ts';
import { optionAt } from './option-text.ts';
import { unknownAt } from './phrases.ts';

const NOUN =
  '(?:answers?|choice|option|response|selection|pick|guess|verdict|decision|conclusion|prediction|solution|ans|label|letter)';
const BE =
  "(?:is|was|(?:would|will|must|should) (?:then |therefore )?be|has to be|'s|seems to be|appears to be|remains|becomes|to be)";
const SIGN = '(?:[:=]|->|→|=>|[-–—])';
/** What may stand between the words that announce an answer and the answer itself. */
const FILLER = `(?:[\\s"'{,:=]|->|→|=>|[-–—]|(?:therefore|thus|then|hence|clearly|definitely|certainly|obviously|probably|most|likely|simply|indeed|still|just|also|option|choice|answer|letter|label|the|following|correct|right|best|one|that|it|this|it's|is|its)(?![\\p{L}']))`;

/** The answer stands where the match ends. */
const BEFORE: readonly { readonly tier: Claim['tier']; readonly cue: RegExp; readonly small: boolean }[] = [
  {
    tier: TIER.final,
    cue: new RegExp(
      `(?<!\\p{L})final[ _]?${NOUN}(?:[ _]${NOUN})?"?(?: ?\\([^()\\n]{0,40}\\))?(?: ?${SIGN}| ${BE}|'s|\\n)${FILLER}{0,16}`,
      'giu',
    ),
    small: true,
  },
  { tier: TIER.final, cue: /<(?:final_?)?(?:answer|choice)>\s?/giu, small: true },
  { tier: TIER.final, cue: /(?:^|\n)#### ?/gu, small: true },
  {
    tier: TIER.declared,
    cue: new RegExp(
      `(?<!\\p{L}|final[ _]?)${NOUN}(?:[ _]${NOUN})?"?(?: (?:to|for|of|in|given|here|(?:that )?(?:i|we))(?!\\p{L})[^.:\\n?!]{0,60}?)?(?: ?\\([^()\\n]{0,40}\\))?(?: ?${SIGN}| ${BE}|'s|\\n)${FILLER}{0,16}`,
      'giu',
    ),
    small: true,
  },
  {
    tier: TIER.declared,
    cue: new RegExp(
      `(?<!\\p{L})(?:(?:i|we)(?:'d|'ll| would| will| have to| must)?(?: (?:have to|rather|probably|therefore|thus|still|then)){0,3} (?:say|answer|guess|think|believe|conclude|lean towards?|respond with|answer with|stick with|take)|choose|chose|choosing|pick|picked|picking|select|selected|selecting|opt for|leaning towards?|go with|going with|went with|vote for|settle on|settled on)(?!\\p{L})${FILLER}{0,16}`,
      'giu',
    ),
    small: true,
  },
  {
    tier: TIER.declared,
    cue: new RegExp(
      `(?<!\\p{L})(?:it|this|that)(?:'s| is| must be| has to be| should be| would be| leaves)(?!\\p{L})${FILLER}{0,16}`,
      'giu',
    ),
    small: false,
  },
  {
    tier: TIER.declared,
    cue: /(?:正确答案|答案|选择|選擇|应选|故选|选)(?:应该|應該)?(?:是|为|為)?[:\s]{0,3}/gu,
    small: true,
  },
  {
    tier: TIER.declared,
    cue: /(?<!\p{L})(?:antwort|réponse|respuesta|risposta|resposta|ответ)(?: (?:ist|est|es|è|é))?[:\s]{1,3}/giu,
    small: true,
  },
];

/** Stands in the same clause in front of a cue, and takes its force. */
const NOT_ASSERTED =
  /(?<!\p{L})(?:not|never|if(?! (?:forced|pressed|pushed|i (?:had|have) to))|whether|unless|suppose|assum\p{L}*|could|might|may|why|cannot|wrong|incorrect|hardly|neither|nor|some (?:people|might|may|would)|someone|tempt\p{L}*|instead of|rather than|initial(?:ly)?|at first|thought|possible|other|previous(?:ly)?)(?!\p{L})|n't(?!\p{L})/iu;
/** The same in front of a letter that ends a line: what stands there is the ground, and may well say "not". */
const REFUSED =
  /(?<!\p{L})(?:not|wrong|incorrect|eliminated?|ruled out|excluded?|rejected|if|whether|or|nor|neither)(?: \p{L}{1,12})?$/iu;
const CLAUSE_BORDER = /[.!?;:,\n]|(?<!\p{L})(?:but|so|therefore|thus|hence|because|and|then)(?!\p{L})/giu;
const LOOK_BACK = 60;

const BOXED = /\\(?:boxed|fbox) ?(?<open>[{(]) ?\(?(?<inside>[^{}\n]{0,80})/gu;
const SENTENCE_ABOUT_LETTER =
  /(?<![\p{L}\p{N}(])(?=\(?[A-Za-z]\)? (?:fits|makes (?:the most )?sense|(?:is|was|seems|appears|must be|would be|has to be)(?: to be)?(?: (?:clearly|definitely|the|most|likely|probably|only|also|thus|therefore|my|a|obviously)){0,3} (?:final )?(?:correct|right|true|best|better|answer|appropriate|accurate|supported|valid|choice|option|one(?: that| who|[.!\n]|$))))/giu;
const CONCLUDING =
  /(?:(?<!\p{L})(?:so|thus|therefore|hence|consequently|accordingly|namely|i\.e\.|that is)[,:]? |: |:\n|-> ?|→ ?|=> ?)(?=\(?[A-Z]\)?[.!"]?(?:\n|$))/giu;

/** In the order of the text. */
export function declaredClaims(text: string, offer: Offer): Claim[] {
  const claims = [
    ...BEFORE.flatMap(({ tier, cue, small }) =>
      claimsBehind(text, cue, (at) => answerAt(text, at, offer, { small }), tier),
    ),
    ...boxedClaims(text, offer),
    ...claimsBehind(
      text,
      SENTENCE_ABOUT_LETTER,
      (at) => lettersAt(text, at, offer, { small: false }),
      TIER.declared,
    ),
    ...claimsBehind(
      text,
      CONCLUDING,
      (at) => answerAt(text, at, offer, { small: false }),
      TIER.declared,
      REFUSED,
    ),
  ];
  return claims.sort((a, b) => a.start - b.start || b.tier - a.tier);
}

function claimsBehind(
  text: string,
  cue: RegExp,
  read: (at: number) => Found | null,
  tier: Claim['tier'],
  unless = NOT_ASSERTED,
): Claim[] {
  const claims: Claim[] = [];
  for (const { 0: words, index } of text.matchAll(cue)) {
    if (unless.test(clauseBefore(text, index))) continue;
    const found = read(index + words.length);
    if (found !== null) claims.push({ tier, start: index, ...found });
  }
  return claims;
}

function boxedClaims(text: string, offer: Offer): Claim[] {
  return [...text.matchAll(BOXED)].flatMap(({ 0: whole, index, groups = {} }) => {
    const inside = (groups.inside ?? '').replace(/[)} .]+$/u, '');
    const found = answerAt(inside, 0, offer, { small: true });
    if (found === null) return [];
    return [{ ...found, tier: TIER.final, start: index, end: index + whole.length }];
  });
}

function clauseBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LOOK_BACK), at);
  const border = [...before.matchAll(CLAUSE_BORDER)].at(-1);
  return border === undefined ? before : before.slice(border.index + border[0].length);
}

/** A letter, several, a phrase for unknown, or the text of an option. */
function answerAt(text: string, at: number, offer: Offer, how: { small: boolean }): Found | null {
  const letters = lettersAt(text, at, offer, how);
  if (letters !== null) return isRefuted(text, letters.end) ? null : letters;
  const unknownEnd = unknownAt(text, at);
  if (unknownEnd !== null) return { answer: 'unknown', rule: 'unknown_phrase', end: unknownEnd };
  const option = optionAt(text, at, offer);
  return option === null ? null : { answer: option.index, rule: 'option_text', end: option.end };
}
