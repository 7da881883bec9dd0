/** Letters that stand where options have them: alone on a line, or in front of one. */
import { type Claim, TIER } from './claims.ts';
import { isRefuted, letterAt } from './letter-at.ts';
import { isSpeltAsAnother, lettersAt } from './letters.ts';
import type { Offer } from './offer.ts';

const BULLET = /^(?:[-•>#+–—] ?|\d{1,2}[.)] )*/u;
const ALONE = /^[\s.,:;!)"'\]}$]*$/u;
/** What parts the label of an option from its text. */
const DELIMITER = /^(?:[.:)] ?|[,;] | ?[-–—] ?|(?=\)))/u;
const CONNECTIVE = /^ (?:because|since|as|for|due|given|based|according|with|is the|would be)(?!\p{L})/iu;

/** In the order of the text. A list of the options, as it stands in the question, is no answer. */
export function labelClaims(text: string, offer: Offer): Claim[] {
  const claims = claimsOfLines(text, offer);
  return isList(claims) ? claims.filter(({ tier }) => tier === TIER.declared) : claims;
}

/** The text without a list of the options: what these say, the text does not. */
export function withoutList(text: string, offer: Offer): string {
  const claims = claimsOfLines(text, offer).filter(({ tier }) => tier < TIER.declared);
  const listed = new Set(isList(claims) ? claims.map(({ start }) => start) : []);
  let start = 0;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const at = BULLET.exec(line)![0].length;
    const token = letterAt(line, at, { small: true });
    const inline = token !== null && isInlineList(line, token.end, token.letter, offer);
    if (!inline && !listed.has(start + at)) kept.push(line);
    start += line.length + 1;
  }
  return kept.join('\n');
}

function claimsOfLines(text: string, offer: Offer): Claim[] {
  const claims: Claim[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const claim = lineClaim(line, start === 0, offer);
    if (claim !== null) claims.push({ ...claim, start: claim.start + start, end: claim.end + start });
    start += line.length + 1;
  }
  return claims;
}

/** The first option, the second, and so on: a list, not a choice. */
function isList(claims: readonly Claim[]): boolean {
  const inFront = claims.filter(({ tier }) => tier < TIER.declared);
  return inFront.length > 1 && inFront.every(({ answer }, at) => answer === at);
}

function lineClaim(line: string, first: boolean, offer: Offer): Claim | null {
  const at = BULLET.exec(line)![0].length;
  const alone = lettersAt(line, at, offer, { small: true });
  if (alone !== null && ALONE.test(line.slice(alone.end))) {
    if (typeof alone.answer === 'object' && !first) return null;
    return { tier: TIER.declared, start: at, ...alone, rule: 'label' };
  }
  const token = letterAt(line, at, { small: true });
  if (token === null) return null;
  const index = offer.letters.indexOf(token.letter);
  const behind = line.slice(token.end, token.end + 24);
  const isSmall = line.slice(at, token.end).toLowerCase() === line.slice(at, token.end);
  const parted = token.marked || DELIMITER.test(behind);
  const spelt = /^ \p{Lu}/u.test(behind) && !isSmall;
  if (index === -1 || !(parted || spelt || (!isSmall && CONNECTIVE.test(behind)))) return null;
  if (isRefuted(line, token.end) || isInlineList(line, token.end, token.letter, offer)) return null;
  const answer = isSpeltAsAnother(line, token.end, index, offer) ? 'several' : index;
  return { tier: first ? TIER.lead : TIER.line, start: at, end: token.end, answer, rule: 'label' };
}

/** "A. The man B. The woman C. Unknown": the options again, on one line. */
function isInlineList(line: string, from: number, letter: string, { letters }: Offer): boolean {
  if (letter !== letters[0] || letters[1] === undefined) return false;
  return new RegExp(`[ (]${letters[1]}[.:)]`, 'u').test(line.slice(from));
}
