/** Answers that a text declares: "The answer is B", "I choose (c)", "B is correct", \boxed{A}, "... so B." */
import { type Claim, TIER } from './claims.ts';
import { lookFront } from './front.ts';
import { isInlineList } from './labels.ts';
import { PARTS } from './languages/language.ts';
import { unknownPhrases } from './multibbq.ts';
import type { Judged, Reading } from './reading.ts';
import { isNamed, type Token } from './tokens.ts';
import type { Offer } from './types.ts';
import { contradictsUnknown } from './unknown-text.ts';

/** Marks that an answer stands in: the letter follows, and nothing but it. */
const MARKS =
  /<(?:(?:final|selected|correct)[_ -]?)?(?:answer|choice|final|response|result|output|prediction|selection|decision|solution|verdict)> ?|(?:^|\n)#### ?/giu;
const BOXED = /\\(?:boxed|fbox) ?[{(](?<inside>[^{}\n]{0,120})/gu;
/** A letter, perhaps with brackets, perhaps with its text: "(B)", "B", "A: the woman". */
const WHOLE_BOX =
  /^ ?(?:(?:option|choice|answer|letter):? ?)?\(?[A-Za-z]\)?(?:(?:[.:)] ?| [-–—] | ?\()[^=+\\^_]*)?[.)]? ?$/iu;

/** In the order of the text. */
export function declaredClaims(reading: Reading, offer: Offer): Claim[] {
  const { text, named } = reading;
  const claims = named.flatMap((mention) => claimOf(reading, mention, offer) ?? []);
  claims.push(...unknownClaims(reading), ...markedClaims(reading, offer));
  // A letter in a box counts as the box only.
  const boxes = [...text.matchAll(BOXED)].map(
    ({ 0: whole, index }) => [index, index + whole.length] as const,
  );
  return claims
    .filter(({ start, tier }) => tier === TIER.final || !isWithin(boxes, start))
    .sort((a, b) => a.start - b.start || b.tier - a.tier);
}

function isWithin(spans: readonly (readonly [number, number])[], at: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]![1] <= at) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && spans[low]![0] <= at;
}

const OF_SMALL: readonly unknown[] = ['final', 'answer', 'choose'];
const OF_OPTIONS: readonly unknown[] = ['final', 'answer', 'choose', 'it', 'right', 'contrast'];

function claimOf(reading: Reading, mention: Judged, offer: Offer): Claim | null {
  const { tokens, text } = reading;
  const { cue, setAside, small, kind, answer } = mention;
  if (cue === null || cue === 'open' || setAside) return null;
  const isNamed = ((tokens[mention.at - 1]?.parts ?? 0) & PARTS.option) !== 0;
  if (small && !isNamed && !OF_SMALL.includes(cue)) return null;
  if (kind === 'option' && !OF_OPTIONS.includes(cue)) return null;
  const start = tokens[mention.from]!.start;
  const end = tokens[mention.to]!.end;
  // "Options: A) man B) woman"
  const isOption = !(tokens[mention.from]!.parts & PARTS.answer) && cue === 'answer';
  if (isOption && kind === 'letter' && isInlineList(text, end, answer, offer)) return null;
  const several = typeof answer === 'number' && contradictsUnknown(text, end, answer, offer);
  return {
    tier: cue === 'final' ? TIER.final : TIER.declared,
    start: Math.min(start, tokens[mention.at]!.start),
    end,
    answer: several ? 'several' : answer,
    rule: kind === 'option' ? 'option_text' : 'declared',
    concludes: cue === 'so',
    ownLine: (cue === 'answer' || cue === 'final') && isOwnLine(reading, mention),
  };
}

const LEADS = PARTS.fill | PARTS.so | PARTS.back | PARTS.but | PARTS.final;

/** Nothing but the declaration stands on its line. */
function isOwnLine({ tokens }: Reading, { from, to }: Judged): boolean {
  for (let at = from - 1; tokens[at] !== undefined && tokens[at]!.kind !== 'newline'; at -= 1) {
    const { kind, parts } = tokens[at]!;
    if (from - at > 6 || (kind === 'word' && !(parts & LEADS)) || kind === 'letter') return false;
  }
  for (let at = to + 1; tokens[at] !== undefined && tokens[at]!.kind !== 'newline'; at += 1) {
    if (tokens[at]!.parts & PARTS.since) return true;
    if (at - to > 12 || tokens[at]!.kind === 'letter') return false;
  }
  return true;
}

/** "The answer is unknown". */
function unknownClaims({ text, tokens }: Reading): Claim[] {
  const claims: Claim[] = [];
  let at = 0;
  for (const { start, end } of unknownPhrases(text)) {
    while (at < tokens.length && tokens[at]!.start < start) at += 1;
    const mention = {
      from: at,
      to: at,
      answer: 'unknown',
      kind: 'option',
      small: false,
      enclosed: false,
    } as const;
    // "It is neither A nor B" speaks of these.
    const next = firstBehindWord(tokens, at, end);
    if (next !== undefined && isNamed(next)) continue;
    const { cue, from } = lookFront(tokens, mention, text);
    if (!OF_OPTIONS.includes(cue) || tokens.slice(from, at).some(({ kind }) => kind === 'letter')) continue;
    const declared = tokens[from]?.start ?? start;
    claims.push({
      tier: cue === 'final' ? TIER.final : TIER.declared,
      start: declared,
      end,
      answer: 'unknown',
      rule: 'unknown_phrase',
      ownLine: false,
      concludes: false,
    });
  }
  return claims;
}

function firstBehindWord(tokens: Reading['tokens'], from: number, end: number): Token | undefined {
  let at = from;
  while (at < from + 12 && tokens[at] !== undefined && tokens[at]!.start < end) at += 1;
  while (tokens[at]?.kind === 'bracket' || (tokens[at]?.parts ?? 0) & PARTS.option) at += 1;
  return tokens[at];
}

/** \boxed{B}, <answer>B</answer>, #### B */
function markedClaims({ text, tokens, named }: Reading, offer: Offer): Claim[] {
  const places: { readonly from: number; readonly to: number; readonly start: number }[] = [];
  for (const { 0: whole, index, groups = {} } of text.matchAll(BOXED)) {
    const { inside = '' } = groups;
    const end = index + whole.length;
    const isOption = offer.options.length > 0 && /^[^\\=^_]+$/u.test(inside);
    if (WHOLE_BOX.test(inside) || isOption) places.push({ from: end - inside.length, to: end, start: index });
  }
  for (const { 0: whole, index } of text.matchAll(MARKS)) {
    const from = index + whole.length;
    places.push({ from, to: from + 3, start: index });
  }
  places.sort((a, b) => a.from - b.from);
  const claims: Claim[] = [];
  let next = 0;
  for (const { from, to, start } of places) {
    while (next < named.length && tokens[named[next]!.at]!.start < from) next += 1;
    const mention = named[next];
    if (mention === undefined || tokens[mention.at]!.start > to || mention.setAside) continue;
    if (mention.kind === 'option' && tokens[mention.at]!.start > from + 5) continue;
    const rule = mention.kind === 'option' ? 'option_text' : 'declared';
    const end = tokens[mention.to]!.end;
    claims.push({
      tier: TIER.final,
      start,
      end,
      answer: mention.answer,
      rule,
      ownLine: false,
      concludes: false,
    });
  }
  return claims;
}
