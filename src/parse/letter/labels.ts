/** Letters that stand where options have them: alone on a line, or in front of one. */

import { isTakenBack } from './behind.ts';
import { type Claim, TIER } from './claims.ts';
import { PARTS } from './languages/language.ts';
import { unknownAt, unknownPhrases } from './multibbq.ts';
import type { Judged, Reading } from './reading.ts';
import type { Offer } from './types.ts';
import { contradictsUnknown } from './unknown-text.ts';

const BULLET = /(?:[-•>#+–—✓✗] ?|\d{1,2}[.)] ){0,4}/uy;
/** Ticks in front of a line or at its end say which option is chosen. */
const TICKED = /^[-•>#+ ]{0,4}(?<front>[✓✗])|(?<end>[✓✗])[ .)]{0,2}$/u;
const ALONE = /^[\s.,:;!)"'\]}$。]*$/u;
/** What parts the label of an option from its text. */
const DELIMITER = /^(?:[.:)] ?| \(|[,;、] | ?[-–—] ?| ?(?:=>|->|→|⇒|\|) ?|\/ )/u;
const CONNECTIVE = /^ (?:because|since|as|for|due|given|based|according|with|is the|would be)(?!\p{L})/iu;
/** The text of an option starts so, and no sentence about it: a capital, an article, writing without capitals. */
const NOUN =
  /^ ?["(]?(?:\p{Lu}|\p{Lo}|\p{N}|(?:the|an?|de[rnm]?|die|das|ein|eine|l[aeo]s?|el|un|una|une|o|os|as|il|gli|het|een|en|ett|et|az)(?!\p{L})|l')/u;

interface Label extends Claim {
  readonly inFront: boolean;
}

/** In the order of the text. A list of the options, as it stands in the question, is no answer. */
export function labelClaims(reading: Reading, offer: Offer): Claim[] {
  const labels = labelsOf(reading, offer);
  return isList(labels) ? labels.filter(({ inFront }) => !inFront) : labels;
}

/** Which lines, by their starts without bullets, are a list of the options: what these say, the text does not. */
export function listedLines(reading: Reading, offer: Offer): ReadonlySet<number> {
  const labels = labelsOf(reading, offer).filter(({ inFront }) => inFront);
  const listed = isList(labels) ? labels.map(({ start }) => start) : [];
  return new Set([...listed, ...inlineLists(reading, offer), ...crossedLines(reading.text)]);
}

function crossedLines(text: string): number[] {
  const starts: number[] = [];
  for (let start = 0; start <= text.length; start = lineEnd(text, start) + 1)
    if (tickOf(text.slice(start, lineEnd(text, start))) === '✗') starts.push(bulletEnd(text, start));
  return starts;
}

function tickOf(line: string): string | undefined {
  const { front, end } = TICKED.exec(line)?.groups ?? {};
  return front ?? end;
}

/** Where the text of a line starts, behind its bullets. */
export function bulletEnd(text: string, start: number): number {
  BULLET.lastIndex = start;
  return start + (BULLET.exec(text)?.[0].length ?? 0);
}

/** The first option, the second, and so on: a list, not a choice. */
function isList(labels: readonly Label[]): boolean {
  const inFront = labels.filter((label) => label.inFront);
  return inFront.length > 1 && inFront.every(({ answer }, at) => answer === at);
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function labelsOf({ text, tokens, named }: Reading, offer: Offer): Label[] {
  const labels: Label[] = [];
  let next = 0;
  for (let start = 0; start <= text.length; ) {
    const end = lineEnd(text, start);
    const at = bulletEnd(text, start);
    while (next < named.length && tokens[named[next]!.at]!.start < at) next += 1;
    const mention = named[next];
    const tick = tickOf(text.slice(start, end));
    if (mention !== undefined && mention.kind === 'letter' && opensLine(tokens, mention.at, at)) {
      const label =
        tick === undefined
          ? labelOf({ text, tokens }, mention, { first: start === 0, end }, offer)
          : tickedOf(tokens, mention, tick);
      if (label !== null) labels.push(label);
    }
    start = end + 1;
  }
  return labels;
}

/** A letter starts its line, perhaps behind its noun: "Option B: the woman". */
function opensLine(tokens: Reading['tokens'], letter: number, at: number): boolean {
  const noun = tokens[letter - 1];
  return tokens[letter]!.start === at || (noun?.start === at && (noun.parts & PARTS.option) !== 0);
}

/** "B. The woman ✓": chosen, unless it is crossed out. */
function tickedOf(tokens: Reading['tokens'], { at, to, answer }: Judged, tick: string): Label | null {
  if (tick === '✗' || typeof answer !== 'number') return null;
  const [start, end] = [tokens[at]!.start, tokens[to]!.end];
  return {
    start,
    end,
    answer,
    tier: TIER.declared,
    rule: 'label',
    ownLine: true,
    concludes: false,
    inFront: false,
  };
}

function labelOf(
  { text, tokens }: Pick<Reading, 'text' | 'tokens'>,
  mention: Judged,
  { first, end: last }: { first: boolean; end: number },
  offer: Offer,
): Label | null {
  const { start } = tokens[mention.at]!;
  const { end } = tokens[mention.to]!;
  const { answer } = mention;
  const made = { start, end, rule: 'label', ownLine: false, concludes: false } as const;
  if (ALONE.test(text.slice(end, last))) {
    if (typeof answer === 'object' && !first) return null;
    const spelt =
      mention.to > mention.at && typeof answer === 'number' && tokens[mention.to]!.kind === 'option';
    if (!spelt) {
      return isTakenBack(tokens, mention.to, text)
        ? null
        : { ...made, answer, tier: TIER.declared, inFront: false };
    }
  }
  if (answer === 'several' && tokens[mention.to]!.kind === 'letter') return null;
  if (typeof answer === 'object' || isInlineList(text, end, answer, offer)) return null;
  const letterEnd = tokens[mention.at]!.end;
  const behind = text.slice(letterEnd, letterEnd + 24);
  const { enclosed, small } = mention;
  const marked = tokens[mention.at]!.letter!.marked;
  const parted = enclosed
    ? mention.to > mention.at || DELIMITER.test(behind) || NOUN.test(behind)
    : marked || DELIMITER.test(behind);
  const spelt = /^ \p{Lu}/u.test(behind) && !small;
  if (!(parted || spelt || (!small && CONNECTIVE.test(behind)))) return null;
  if (mention.to === mention.at && isRefuted({ text, tokens }, mention)) return null;
  const several = typeof answer === 'number' && contradictsUnknown(text, letterEnd, answer, offer);
  return {
    ...made,
    answer: several ? 'several' : answer,
    tier: first ? TIER.lead : TIER.line,
    inFront: true,
  };
}

const AGAINST = PARTS.bad | PARTS.wrong | PARTS.not;

/** "B: The text does not say that." No option is spelt so; "C. Not enough information" may be one. */
function isRefuted({ text, tokens }: Pick<Reading, 'text' | 'tokens'>, mention: Judged): boolean {
  let at = mention.to + 1;
  while (
    tokens[at] !== undefined &&
    at < mention.to + 4 &&
    tokens[at]!.kind !== 'word' &&
    tokens[at]!.kind !== 'newline'
  )
    at += 1;
  const opener = tokens[at];
  if (opener === undefined || opener.kind !== 'word') return mention.setAside && !isPlainNo(tokens, at);
  if (saysNotKnown(text, opener.start)) return false;
  // "(B) is the answer you'd expect", "B, really?"
  if (mention.setAside && (opener.parts & PARTS.be || tokens[at - 1]?.kind === 'comma')) return true;
  for (let next = at, steps = 0; steps < 40; next += 1, steps += 1) {
    const token = tokens[next];
    if (token === undefined || token.kind === 'stop' || token.kind === 'newline') {
      return isTakenBack(tokens, next - 1, text);
    }
    if (token.parts & PARTS.since && !(token.parts & AGAINST)) return isTakenBack(tokens, next, text);
    const against =
      next > at ? AGAINST : tokens[at - 1]?.kind === 'comma' ? AGAINST | PARTS.maybe : AGAINST & ~PARTS.not;
    if (token.parts & against && !(next === at && token.parts & PARTS.no && isPlainNo(tokens, next)))
      return true;
  }
  return false;
}

/** "C. There isn't enough information"; not "B: The text does not say that". */
function saysNotKnown(text: string, start: number): boolean {
  if (unknownAt(text, start) !== null) return true;
  const sentence = /^[^.!?;\n。]{0,200}/u.exec(text.slice(start, start + 200))![0];
  return unknownPhrases(sentence).some(
    ({ end }) => !/^ (?:that|this|so|it|who)(?!\p{L})/u.test(sentence.slice(end)),
  );
}

/** "B. No", where that is all: the option may be called so. */
function isPlainNo(tokens: readonly { readonly parts: number }[], at: number): boolean {
  return at === tokens.length - 1 || (at === tokens.length - 2 && (tokens[at]!.parts & PARTS.no) !== 0);
}

/** "A. The man B. The woman C. Unknown": the options again, on one line. */
export function isInlineList(text: string, from: number, answer: unknown, { letters }: Offer): boolean {
  if (answer !== 0 || letters[1] === undefined || !/[.:)]/u.test(text.slice(from - 1, from + 1)))
    return false;
  const near = text.slice(from, from + INLINE);
  const rest = near.slice(0, lineEnd(near, 0));
  const second = [...'.:)'].flatMap((mark) => [` ${letters[1]}${mark}`, `(${letters[1]}${mark}`]);
  return second.some((label) => /[\p{L}\p{N}]/u.test(rest.slice(0, Math.max(0, rest.indexOf(label)))));
}

const INLINE = 600;

/** Starts of the lines that hold such a list. */
function inlineLists({ text, tokens, named }: Reading, offer: Offer): number[] {
  return named.flatMap((mention) => {
    const { start } = tokens[mention.at]!;
    const opens = start === 0 || text.charAt(start - 1) === '\n';
    const lists = mention.kind === 'letter' && opens;
    return lists && isInlineList(text, tokens[mention.to]!.end, mention.answer, offer) ? [start] : [];
  });
}
