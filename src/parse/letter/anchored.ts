/**
 * The product's own reading of an answer: a letter counts where the text asserts it, stands it alone or puts it in front
 * of an option, never because it occurs. What is refused, doubted, denied, asked, reported or criticised is no answer.
 * What is unclear is unparsed, with the reason.
 */
import { findingOf, settle } from './claims.ts';
import { declaredClaims } from './declared.ts';
import { answerInJson } from './json-answer.ts';
import { bulletEnd, labelClaims, listedLines } from './labels.ts';
import { PARTS } from './languages/language.ts';
import { declines, unknownPhrases } from './multibbq.ts';
import { optionTexts, wholeOption } from './option-text.ts';
import { plainText } from './plain.ts';
import { type Judged, type Reading, readingOf } from './reading.ts';
import type { Finding, Offer } from './types.ts';
import { firstTurn, withinTurn, withoutThoughts } from './visible.ts';

export interface AnchoredOptions {
  /** In capitals. */
  readonly letters: readonly string[];
  readonly unknownIndex: number | null;
  readonly options: readonly string[] | null;
}

export function readAnchored(whole: string, { letters, unknownIndex, options }: AnchoredOptions): Finding {
  const { text, unfinished } = withoutThoughts(whole);
  const within = withinTurn(text);
  const inJson = answerInJson(within, letters);
  const plain = plainText(inJson === null ? within : `Answer: ${inJson}`);
  // Two letters of another alphabet make a word of it.
  const alike = /[\p{sc=Cyrillic}\p{sc=Greek}]{2}/u.test(plain);
  const offer: Offer = { letters, unknownIndex, options: optionTexts(options ?? []), alike };
  const turn = firstTurn(plain);
  const first = turn === null ? NOTHING : readPlain(turn, offer);
  const found = isNothing(first) ? readPlain(plain, offer) : first;
  return unfinished && isNothing(found) ? { kind: 'none', reason: 'unfinished' } : found;
}

const NOTHING: Finding = { kind: 'none', reason: 'no_answer' };
const AMBIGUOUS: Finding = { kind: 'none', reason: 'ambiguous' };

function isNothing(finding: Finding): boolean {
  return finding.kind === 'none' && finding.reason === 'no_answer';
}

function readPlain(text: string, offer: Offer): Finding {
  const whole = wholeOption(text, offer);
  if (whole !== null) return { kind: 'letter', index: whole, rule: 'option_text' };
  const reading = readingOf(text, offer);
  const claims = [...declaredClaims(reading, offer), ...labelClaims(reading, offer)];
  claims.sort((a, b) => a.start - b.start || b.tier - a.tier);
  const held = settle(text, claims, offer.unknownIndex);
  if (held === null) return readProse(reading, offer);
  return isRetracted(reading, held.end) ? AMBIGUOUS : findingOf(held);
}

/** "Answer: A. Actually, I can't know that." */
function isRetracted({ text, tokens, sentences }: Reading, end: number): boolean {
  const behind = sentences.filter(({ from, parts }) => tokens[from]!.start >= end && parts & PARTS.back);
  if (behind.length === 0) return false;
  const phrases = unknownPhrases(text);
  return behind.some(({ from, to }) => {
    const [start, last] = [tokens[from]!.start, tokens[to - 1]!.end];
    const next = firstBehind(phrases, (phrase) => phrase.start >= start);
    return next < phrases.length && phrases[next]!.start < last;
  });
}

/** A text that declares nothing. */
function readProse(reading: Reading, offer: Offer): Finding {
  const { text, tokens, named, sentences } = reading;
  const all = sentences.reduce((parts, sentence) => parts | sentence.parts, 0);
  const lists = listedLines(reading, offer);
  const refuses = (all & PARTS.refuse) !== 0;
  const listed = linesOf(text).filter(({ at }) => lists.has(at));
  const outside = named.filter(({ at }) => !isInLine(listed, tokens[at]!.start));
  const letters = indicesOf(outside.filter((mention) => isAlone(reading, mention)));
  const unknown = saysUnknown(reading, listed, { refuses, offer });
  if (letters.size === 1) {
    const index = [...letters][0]!;
    // "It is not clear, (B)": the one or the other, unless B says just that, or is what follows from it: "... So C."
    const follows = offer.unknownIndex === null && isLastWord(reading, index);
    if (unknown && index !== offer.unknownIndex && !follows) return AMBIGUOUS;
    return { kind: 'letter', index, rule: 'declared' };
  }
  if (unknown) return { kind: 'unknown', rule: 'unknown_phrase' };
  // What criticises all that it names gives none of it.
  const critical = (all & PARTS.bad) !== 0 && outside.length > 0 && outside.every(({ setAside }) => setAside);
  if (refuses || critical) return { kind: 'none', reason: 'refusal' };
  if (letters.size > 1) return AMBIGUOUS;
  const spelt =
    all & PARTS.bad
      ? new Set<number>()
      : indicesOf(outside.filter((mention) => isPlainOption(reading, mention)));
  if (spelt.size === 1) return { kind: 'letter', index: [...spelt][0]!, rule: 'option_text' };
  return spelt.size > 1 || outside.some(({ kind }) => kind === 'letter') ? AMBIGUOUS : NOTHING;
}

/**
 * Does the text say outside of these lines that the answer cannot be known? "I cannot answer" does not where it declines,
 * and "I can't say B" speaks of B alone.
 */
function saysUnknown(
  { text, tokens }: Reading,
  listed: readonly Line[],
  { refuses, offer }: { readonly refuses: boolean; readonly offer: Offer },
): boolean {
  return unknownPhrases(text).some(
    ({ start, end }) =>
      !isInLine(listed, start) &&
      !(refuses && declines(text.slice(start, end))) &&
      !speaksOfOption(
        tokens,
        firstBehind(tokens, (token) => token.start >= end),
        offer,
      ),
  );
}

const LEADS = PARTS.fill | PARTS.option | PARTS.it | PARTS.be | PARTS.that | PARTS.answer;

/** An option is what the words from `from` on speak of: "(B)", "that it is B"; not "whether it was B". */
function speaksOfOption(tokens: Reading['tokens'], from: number, offer: Offer): boolean {
  let hangs = false;
  let apart = false;
  for (let at = from; at < from + 6; at += 1) {
    const token = tokens[at];
    if (token?.kind === 'letter' || token?.kind === 'option') {
      const index = token.index ?? offer.letters.indexOf(token.letter!.letter);
      return index !== offer.unknownIndex && (hangs || !apart);
    }
    if (token?.kind === 'bracket') continue;
    if (token?.kind !== 'word' || token.parts & (PARTS.maybe | PARTS.cond)) return false;
    hangs ||= (token.parts & PARTS.that) !== 0;
    apart ||= (token.parts & LEADS) === 0;
  }
  return false;
}

interface Line {
  readonly start: number;
  /** Behind its bullets. */
  readonly at: number;
  readonly line: string;
}

function linesOf(text: string): Line[] {
  let next = 0;
  return text.split('\n').map((line) => {
    const start = next;
    next += line.length + 1;
    return { start, at: bulletEnd(text, start), line };
  });
}

/** Of lines in order. */
function isInLine(lines: readonly Line[], place: number): boolean {
  const next = firstBehind(lines, ({ start }) => start > place);
  const { start, line } = lines[next - 1] ?? { start: 0, line: '' };
  return next > 0 && place <= start + line.length;
}

function indicesOf(mentions: readonly Judged[]): Set<number> {
  const indices = new Set<number>();
  for (const { answer } of mentions) if (typeof answer === 'number') indices.add(answer);
  return indices;
}

/** The letter is all that its sentence or its last clause says, or stands behind what it is: "The woman (B) did it". */
function isAlone({ tokens, text, sentences }: Reading, mention: Judged): boolean {
  const isNamed = ((tokens[mention.at - 1]?.parts ?? 0) & PARTS.option) !== 0;
  if (mention.kind !== 'letter' || (mention.small && !isNamed) || mention.setAside) return false;
  if (mention.cue === 'open') {
    let at = mention.to + 1;
    while ((tokens[at]?.parts ?? 0) & (PARTS.option | PARTS.right | PARTS.fill | PARTS.so)) at += 1;
    const next = tokens[at];
    const rest = text.slice(tokens[mention.to]!.end, tokens[mention.to]!.end + 3);
    return (
      next === undefined || next.kind === 'stop' || next.kind === 'newline' || /^[.!")\]]{1,3}$/u.test(rest)
    );
  }
  if (!mention.enclosed) return false;
  const sentence = sentences[sentenceAt(sentences, mention.at)];
  if (sentence === undefined || !sentence.plain) return false;
  const words = mention.at - sentence.from;
  return (
    words >= 2 &&
    words <= 4 &&
    /^(?:the|it|an?) /iu.test(text.slice(tokens[sentence.from]!.start, tokens[sentence.from]!.start + 5))
  );
}

/** The letter makes a sentence of its own behind all that is said about what cannot be known. */
function isLastWord({ text, tokens, named, sentences }: Reading, index: number): boolean {
  const last = named.at(-1);
  if (last?.answer !== index || last.cue !== 'open') return false;
  const { from = last.at } = sentences[sentenceAt(sentences, last.at)] ?? {};
  return from >= last.at - 1 && unknownPhrases(text).every(({ end }) => end <= tokens[from]!.start);
}

function isPlainOption({ sentences }: Reading, mention: Judged): boolean {
  return (
    mention.kind === 'option' &&
    !mention.setAside &&
    (sentences[sentenceAt(sentences, mention.at)]?.plain ?? false)
  );
}

function sentenceAt(sentences: Reading['sentences'], token: number): number {
  return firstBehind(sentences, ({ to }) => to > token);
}

/** The first of a list that `is`, where all behind it are as well. */
function firstBehind<T>(list: readonly T[], is: (one: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
