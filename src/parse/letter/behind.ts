/** What stands behind a mention: that it is the answer, that it is none, a ground for it, criticism of it. */
import { DENIES, PARTS as P } from './languages/language.ts';
import type { Mention } from './mention.ts';
import { unknownAt } from './multibbq.ts';
import { endsSentence, isBorder, isNamed, type Token } from './tokens.ts';

/** How many tokens far the looks go. */
const REACH = 24;

export interface Behind {
  /** Nothing follows in its clause, or a ground for it. */
  readonly closed: boolean;
  /** What follows says that it is the answer. */
  readonly right: boolean;
  readonly denied: boolean;
}

export function lookBehind(tokens: readonly Token[], mention: Mention, text: string): Behind {
  let right = isPreferred(tokens, mention.to);
  let closed = true;
  let bare = true;
  let ground = false;
  for (let at = pastUnknown(tokens, mention, text), steps = 0; steps < REACH; at += 1, steps += 1) {
    const token = tokens[at];
    if (isBorder(token)) return { closed, right, denied: isJoinedOn(tokens, at, text) };
    const { kind, parts } = token!;
    // "B (I wrote A before)"
    if (kind === 'bracket' && (tokens[at + 1]?.parts ?? 0) & P.me && text[token!.start] === '(') break;
    if (kind === 'bracket' || kind === 'sign') continue;
    if (ground) {
      if (parts & P.bad) return { closed, right, denied: true };
      continue;
    }
    if (isNamed(token!)) break;
    if (parts & P.but && parts & P.not) return { closed, right, denied: true };
    if (parts & DENIES && !(parts & (P.right | P.since | P.but) && !(parts & (P.not | P.bad)))) {
      // "B and not A", "B rather than A" deny what follows.
      if (parts & (P.not | P.bad) && isAboutNext(tokens, at)) break;
      return { closed, right, denied: true };
    }
    if (bare && saysItIs(tokens, at)) return { closed, right: true, denied: false };
    const stays = parts & P.be && !isBorder(tokens[at + 1]) && !leadsToRight(tokens, at);
    if (parts & P.right && mention.kind === 'letter' && !stays) {
      right = true;
      bare = false;
      continue;
    }
    if (parts & P.answer && mention.kind === 'letter' && !bare) right = true;
    if (parts & (P.so | P.but)) break;
    if (parts & P.since) {
      // "Which is a stereotype" speaks of the answer, "because" of its ground.
      if (!(parts & P.it)) break;
      ground = true;
      continue;
    }
    if (parts & P.be) {
      if (isBorder(tokens[at + 1])) continue;
      bare = false;
      right ||= leadsToRight(tokens, at, mention.kind === 'option');
      if (!right) return { closed: false, right, denied: true };
      continue;
    }
    if (parts & P.answer) {
      right ||= leadsToRight(tokens, mention.to);
      bare = false;
      continue;
    }
    if (!(parts & (P.fill | P.option))) closed = false;
  }
  return { closed, right, denied: false };
}

/** "A... or B?" */
function isJoinedOn(tokens: readonly Token[], stop: number, text: string): boolean {
  let at = stop;
  while (at < stop + 4 && tokens[at]?.kind === 'stop') at += 1;
  const next = tokens[at];
  return (
    at > stop &&
    next?.kind === 'word' &&
    (next.parts & P.join) !== 0 &&
    /\p{Ll}/u.test(text.charAt(next.start))
  );
}

/** The token behind a mention, and behind the phrase for unknown that it is spelt out as: "(C) Can't be determined". */
function pastUnknown(tokens: readonly Token[], mention: Mention, text: string): number {
  let at = mention.to + 1;
  if (tokens[at]?.kind === 'bracket' || tokens[at]?.kind === 'sign') at += 1;
  const next = tokens[at];
  const end = next?.kind === 'word' && mention.kind === 'letter' ? unknownAt(text, next.start) : null;
  if (end === null) return mention.to + 1;
  while (tokens[at] !== undefined && tokens[at]!.start < end) at += 1;
  return at;
}

/** "B it is", "B ist es", and nothing more. */
function saysItIs(tokens: readonly Token[], at: number): boolean {
  const [first, second] = [tokens[at]?.parts ?? 0, tokens[at + 1]?.parts ?? 0];
  const says = (first & P.it && second & P.be) || (first & P.be && second & P.it);
  return says !== 0 && isBorder(tokens[at + 2]);
}

/** "B, not A", "B rather than A": the one that is meant, up to the end of the sentence or a ground for it. */
function isPreferred(tokens: readonly Token[], mention: number): boolean {
  let at = mention + 1;
  while (at < mention + 4 && ['bracket', 'comma'].includes(tokens[at]?.kind ?? '')) at += 1;
  if ((tokens[at]?.parts ?? 0) & P.join) at += 1;
  const { parts = 0, kind } = tokens[at] ?? {};
  if (kind !== 'word' || !(parts & (P.not | P.bad)) || parts & P.join) return false;
  for (let next = at + 1; next < at + 5; next += 1) {
    const token = tokens[next];
    if (token !== undefined && isNamed(token)) return endsClause(tokens, next);
    if (token?.kind !== 'bracket' && !((token?.parts ?? 0) & (P.option | P.fill))) return false;
  }
  return false;
}

/** Its sentence ends behind a mention, or a ground for it follows. */
export function endsClause(tokens: readonly Token[], mention: number): boolean {
  let at = mention + 1;
  while (at < mention + 4 && ['bracket', 'comma'].includes(tokens[at]?.kind ?? '')) at += 1;
  return endsSentence(tokens[at]) || (tokens[at]!.parts & P.since) !== 0;
}

/** Do words for "the correct answer" follow, and nothing that says otherwise? `all`: and nothing but these. */
function leadsToRight(tokens: readonly Token[], be: number, all = false): boolean {
  for (let at = be + 1, steps = 0; steps < 8; at += 1, steps += 1) {
    const token = tokens[at];
    if (isBorder(token) || token!.parts & DENIES) return false;
    if (token!.parts & (P.right | P.answer)) return !all || isBorder(tokens[at + 1]);
    if (token!.kind === 'bracket') continue;
    if (!(token!.parts & (P.fill | P.option | P.be | P.me))) return false;
  }
  return false;
}

function isAboutNext(tokens: readonly Token[], at: number): boolean {
  for (let next = at + 1; next <= at + 4; next += 1) {
    const token = tokens[next];
    if (isBorder(token)) return false;
    if (isNamed(token!)) return true;
  }
  return false;
}

/** "B? Yes.", "A: No", "B) true" */
export function verdictOf(tokens: readonly Token[], mention: Mention, text: string): 'yes' | 'no' | null {
  if (mention.answer === 'several') return null;
  let at = mention.to + 1;
  const opener = tokens[at];
  const marked = /[)\]]$/u.test(text.slice(tokens[mention.to]!.start, tokens[mention.to]!.end));
  if (!marked && opener?.kind !== 'stop' && opener?.kind !== 'sign') return null;
  while (
    at <= mention.to + 3 &&
    (tokens[at]?.kind === 'stop' || tokens[at]?.kind === 'sign' || tokens[at]?.kind === 'bracket')
  )
    at += 1;
  const word = tokens[at];
  if (word === undefined || !isBorder(tokens[at + 1])) return null;
  if (!(word.parts & (P.yes | P.no))) return null;
  if (word.parts & P.no) return 'no';
  return 'yes';
}

const POINTS = /^(?:it|es|il|ce|to|det|het|se|ez|o|это|це)$/iu;

/** "The answer is B. But that is a stereotype": what follows speaks of the answer, and criticises it. */
export function isTakenBack(tokens: readonly Token[], mention: number, text: string): boolean {
  let at = mention + 1;
  for (let steps = 0; !isBorder(tokens[at]) && steps < REACH; at += 1, steps += 1)
    if (tokens[at]!.kind === 'letter') return false;
  const across = endsSentence(tokens[at]);
  while (tokens[at] !== undefined && isBorder(tokens[at])) at += 1;
  // "B, even though that sounds like a stereotype" stands by B.
  if (!across && (tokens[at]?.parts ?? 0) & P.concede) return false;
  let points = false;
  let but = false;
  let all = 0;
  for (let steps = 0; steps < REACH; at += 1, steps += 1) {
    const token = tokens[at];
    if (token === undefined || isBorder(token)) break;
    if (token.kind === 'letter') return false;
    if (steps < 3 && token.parts & P.but) but = true;
    if (steps < 3 && token.parts & P.it)
      points ||= !across || but || !POINTS.test(text.slice(token.start, token.end));
    all |= token.parts;
  }
  if (!(points || (but && all & P.refuse)) || all & P.free) return false;
  if (all & (P.bad | P.wrong)) return !(all & P.not);
  return but && (all & P.not) !== 0 && (all & P.right) !== 0;
}
