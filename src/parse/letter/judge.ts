/**
 * Whether a text stands by what it names. A mention counts where the words in front of it, or those behind it, declare it,
 * and nothing in its clause denies, doubts, reports or criticises it. All looks go a bounded number of tokens far.
 */
import { PARTS } from './languages/language.ts';
import type { Mention } from './mention.ts';
import { unknownAt } from './phrases.ts';
import type { Token } from './tokens.ts';

/**
 * By what a mention is declared. `final`, `answer`: "final answer is", "answer:"; `choose`: "I choose"; `it`: "it is";
 * `right`: "B is correct", "B? Yes"; `so`, `colon`: a conclusion at the end of its sentence; `contrast`: "not A but B"; `open`: it
 * is all that its sentence says; `apposition`: "The woman (B) did it".
 */
export type Cue =
  | 'final'
  | 'answer'
  | 'choose'
  | 'it'
  | 'right'
  | 'so'
  | 'colon'
  | 'contrast'
  | 'open'
  | 'apposition';

export interface Judgement {
  readonly cue: Cue | null;
  /** Index of the token at which the declaration starts. */
  readonly from: number;
  /** The clause denies, doubts, asks, reports or criticises. */
  readonly setAside: boolean;
}

const REACH = { cue: 16, noun: 18, piece: 40, sentence: 80, rest: 24 } as const;
const P = PARTS;
const DENIES = P.not | P.maybe | P.cond | P.bad | P.wrong | P.refuse;

const GROUND_ENDS = /[\p{sc=Hiragana}\p{sc=Hangul}]$/u;

export function judge(tokens: readonly Token[], mention: Mention, text: string): Judgement {
  const front = lookFront(tokens, mention, text);
  const behind = lookBehind(tokens, mention, text);
  const verdict = verdictOf(tokens, mention, text);
  if (verdict === 'yes') return { cue: 'right', from: mention.from, setAside: false };
  const cue = behind.right && front.cue !== 'final' ? 'right' : front.cue;
  const listed = front.direct && mention.answer === 'several';
  const strict =
    cue === 'so' ||
    cue === 'colon' ||
    cue === 'contrast' ||
    cue === 'open' ||
    (cue === 'answer' && front.direct);
  const from = cue === 'right' ? mention.from : front.from;
  const setAside =
    verdict === 'no' ||
    behind.denied ||
    isDeniedInFront(tokens, mention.from, { cue: from, kind: cue }, text) ||
    isAsked(tokens, mention, text) ||
    isTakenBack(tokens, mention.to, text);
  const held = cue !== null && !listed && (!strict || behind.closed || behind.right);
  return { cue: held ? cue : null, from, setAside };
}

export interface Front {
  readonly cue: Cue | null;
  readonly from: number;
  /** The noun stands right in front: "answer B". */
  readonly direct: boolean;
}

const isBorder = (token: Token | undefined): boolean =>
  token === undefined || token.kind === 'stop' || token.kind === 'newline' || token.kind === 'comma';
const endsSentence = (token: Token | undefined): boolean =>
  token === undefined || token.kind === 'stop' || token.kind === 'newline';

/** The words in front of a mention, from it to the left, until one declares it or none can any more. */
export function lookFront(tokens: readonly Token[], mention: Mention, text: string): Front {
  let joined = false;
  let weak: Front | null = null;
  const found = (cue: Cue, from: number): Front => ({ cue, from, direct: !joined });
  const nothing = { cue: null, from: mention.from, direct: false };
  for (let at = mention.from - 1, steps = 0; steps < REACH.cue; at -= 1, steps += 1) {
    const token = tokens[at];
    const parts = token?.parts ?? 0;
    if (token?.kind === 'bracket') continue;
    if (token?.kind === 'newline') {
      // "Answer:\n\nB", "Final answer\nB".
      const above = lookAbove(tokens, at);
      if (above !== null) return above;
      return weak ?? found('open', at + 1);
    }
    if (isBorder(token)) return weak ?? found('open', at + 1);
    if (token!.kind === 'sign') {
      const noun = nounBefore(tokens, at);
      if (noun !== null) return { ...noun, direct: false };
      if (/^[-–—|]$/u.test(text.charAt(token!.start))) return weak ?? found('open', at + 1);
      return mention.small ? nothing : (weak ?? found('colon', at + 1));
    }
    if (parts & P.choose) return found('choose', at);
    if (parts & P.verb && isMine(tokens, at, text)) return found('choose', at);
    if (
      parts & P.answer &&
      !(parts & P.option && mention.from - at === 1 && !joined && !isNoun(tokens, at))
    ) {
      return found(isFinal(tokens, at) ? 'final' : 'answer', at);
    }
    if (parts & P.be) {
      const noun = nounBefore(tokens, at);
      if (noun !== null) return { ...noun, direct: false };
      if (isIt(tokens, at, text)) return found('it', at);
      if (parts & (P.but | P.so)) return found(parts & P.but ? 'contrast' : 'so', at);
      joined = true;
      if (!(parts & P.fill))
        return isBorder(tokens[at - 1]) && isBehindLetter(tokens, at)
          ? found('contrast', at)
          : (weak ?? nothing);
      continue;
    }
    if (parts & P.but) return found('contrast', at);
    if (parts & P.so) weak = found('so', at);
    if (parts & (P.fill | P.option | P.me)) continue;
    return weak ?? (mention.enclosed ? lookPastWords(tokens, at) : null) ?? nothing;
  }
  return weak ?? nothing;
}

/** "The answer is the woman (B)": what the letter stands behind is what it is. */
function lookPastWords(tokens: readonly Token[], from: number): Front | null {
  for (let at = from; at > from - 5; at -= 1) {
    const token = tokens[at];
    if (isBorder(token) || isNamed(token!)) return null;
    if (token!.kind === 'sign' || token!.parts & P.be) {
      const noun = nounBefore(tokens, at);
      return noun === null ? null : { ...noun, direct: true };
    }
  }
  return null;
}

/** A heading or a question for the answer, alone on the line above. */
function lookAbove(tokens: readonly Token[], newline: number): Front | null {
  let at = newline - 1;
  while (tokens[at]?.kind === 'sign' || tokens[at]?.kind === 'bracket' || tokens[at]?.kind === 'newline')
    at -= 1;
  const noun = nounBefore(tokens, at + 1);
  return noun !== null && noun.from >= at - 6 ? { ...noun, direct: false } : null;
}

/** "Choice B" names an option; "my choice B" gives an answer. */
function isNoun(tokens: readonly Token[], at: number): boolean {
  return isBorder(tokens[at - 1]) || ((tokens[at - 1]?.parts ?? 0) & P.me) !== 0;
}

/** The noun that a word for "is" or a colon at `at` stands behind, in the same sentence. */
function nounBefore(tokens: readonly Token[], at: number): Front | null {
  for (let left = at - 1, steps = 0; steps < REACH.noun; left -= 1, steps += 1) {
    const token = tokens[left];
    if (endsSentence(token)) return null;
    if (token!.parts & P.answer)
      return { cue: isFinal(tokens, left) ? 'final' : 'answer', from: left, direct: false };
    if (token!.parts & P.choose) return { cue: 'choose', from: left, direct: false };
    // "Correct is B".
    if (token!.parts & P.right && steps === 0) return { cue: 'answer', from: left, direct: false };
    if (token!.parts & P.option && steps < 3 && !isNamed(tokens[left + 1]!)) {
      return { cue: 'answer', from: left, direct: false };
    }
  }
  return null;
}

function isFinal(tokens: readonly Token[], noun: number): boolean {
  return [noun - 1, noun, noun + 1].some((at) => ((tokens[at]?.parts ?? 0) & P.final) !== 0);
}

/** A verb in the first person, or one that opens its sentence. */
function isMine(tokens: readonly Token[], verb: number, text: string): boolean {
  const isIng = /ing(?: |$)/u.test(text.slice(tokens[verb]!.start, tokens[verb]!.end));
  for (let at = verb - 1, steps = 0; steps < 7; at -= 1, steps += 1) {
    const token = tokens[at];
    if (isBorder(token)) return !isIng && steps === 0;
    if (token!.parts & P.me) return true;
    if (!(token!.parts & (P.fill | P.verb))) return false;
  }
  return false;
}

const IS_IT = /^(?:it's|that's|this is|c'est|ce sera|ce serait|to jest|jest to|je to|to je)$/iu;

/** Languages that need no word for "it". */
const WITHOUT_IT = /^(?:es|es la|é|è|és|este|sería|seria|sarebbe|to|это|це)$/iu;

/** "It is", "this must be", at the start of a clause or behind a verb of the first person. */
function isIt(tokens: readonly Token[], be: number, text: string): boolean {
  const { start, end } = tokens[be]!;
  const word = text.slice(start, end);
  if (IS_IT.test(word) || (WITHOUT_IT.test(word) && isBorder(tokens[be - 1]))) return true;
  for (let at = be - 1, steps = 0; steps < 3; at -= 1, steps += 1) {
    const parts = tokens[at]?.parts ?? 0;
    if (parts & P.it) return true;
    if (!(parts & P.fill)) return false;
  }
  return false;
}

function isBehindLetter(tokens: readonly Token[], at: number): boolean {
  for (let left = at - 1, steps = 0; steps < 12; left -= 1, steps += 1) {
    const token = tokens[left];
    if (endsSentence(token)) return false;
    if (isNamed(token!)) return true;
  }
  return false;
}

interface Behind {
  /** Nothing follows in its clause, or a ground for it. */
  readonly closed: boolean;
  /** What follows says that it is the answer. */
  readonly right: boolean;
  readonly denied: boolean;
}

function lookBehind(tokens: readonly Token[], mention: Mention, text: string): Behind {
  let right = false;
  let closed = true;
  let bare = true;
  let ground = false;
  for (let at = pastUnknown(tokens, mention, text), steps = 0; steps < REACH.rest; at += 1, steps += 1) {
    const token = tokens[at];
    if (isBorder(token)) break;
    const { kind, parts } = token!;
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
    if (parts & P.right && mention.kind === 'letter') {
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
      right ||= leadsToRight(tokens, at) && mention.kind === 'letter';
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

/** Do words for "the correct answer" follow, and nothing that says otherwise? */
function leadsToRight(tokens: readonly Token[], be: number): boolean {
  for (let at = be + 1, steps = 0; steps < 8; at += 1, steps += 1) {
    const token = tokens[at];
    if (isBorder(token) || token!.parts & DENIES) return false;
    if (token!.parts & (P.right | P.answer)) return true;
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

/** Denials, doubts and conditions in front: in the clause of the declaration, and in those that hold for it. */
function isDeniedInFront(
  tokens: readonly Token[],
  mention: number,
  { cue, kind }: { cue: number; kind: Cue | null },
  text: string,
): boolean {
  let crossed = false;
  let concluded = kind === 'so';
  let first = 0;
  for (let at = mention - 1, steps = 0; steps < REACH.piece; at -= 1, steps += 1) {
    const token = tokens[at];
    if (endsSentence(token) && !(token?.kind === 'newline' && at > cue)) return false;
    if ((token!.kind === 'comma' || token!.kind === 'sign') && at < cue) {
      const hangs = kind === 'colon' || (first & P.that) !== 0;
      return isDeniedBefore(tokens, at, hangs, concluded);
    }
    const { parts } = token!;
    if (isNamed(token!)) crossed = true;
    if (parts & P.but && (at !== cue || kind === 'contrast')) return false;
    // Japanese and Korean end a ground with its word: "... ので".
    if (parts & P.since && at < cue && GROUND_ENDS.test(text.charAt(token!.end - 1))) return false;
    if (parts & P.so && at <= cue) concluded = true;
    // The word that declares is not held against itself; what another letter stands behind is said of that one.
    if (parts & (concluded ? P.cond : DENIES) && at !== cue && !(crossed && at > cue)) return true;
    first = parts;
  }
  return false;
}

/** What a denial must stand beside to speak of an answer: "I cannot say, that ...", but not "It is no hard case: B". */
const SPEAKS = P.choose | P.verb | P.answer | P.right | P.option | P.me | P.that | P.refuse;

/** In the clauses of the same sentence further to the left, which end at `comma`. `hangs`: "..., dass die Antwort B ist". */
function isDeniedBefore(tokens: readonly Token[], comma: number, hangs: boolean, so: boolean): boolean {
  const none = { all: 0, words: 0, named: false };
  let clause = { ...none };
  let nearest = true;
  let concluded = so;
  for (let at = comma - 1, steps = 0; steps < REACH.sentence; at -= 1, steps += 1) {
    const token = tokens[at];
    const ends = endsSentence(token);
    if (ends || token!.kind === 'comma' || token!.kind === 'sign') {
      const { all, words, named } = clause;
      const denies = hangs && nearest ? P.maybe | P.bad | P.wrong | (all & SPEAKS ? P.not : 0) : 0;
      const doubts = nearest && words <= 2 ? P.maybe : 0;
      const critic = named || concluded || all & P.free ? 0 : P.bad;
      if (all & (denies | doubts | critic | P.cond)) return true;
      if (ends) return false;
      clause = { ...none };
      nearest = false;
      continue;
    }
    if (isNamed(token!)) clause.named = true;
    if (token!.kind === 'word') clause.words += 1;
    clause.all |= token!.parts;
    if (token!.parts & P.but) return false;
    if (token!.parts & P.so) concluded = true;
  }
  return false;
}

const isNamed = ({ kind }: Token): boolean => kind === 'letter' || kind === 'option';

/** Does the sentence end with a question mark? */
function isAsked(tokens: readonly Token[], mention: Mention, text: string): boolean {
  for (let at = mention.to + 1, steps = 0; steps < REACH.sentence; at += 1, steps += 1) {
    const token = tokens[at];
    if (endsSentence(token)) return token !== undefined && /[?؟]/u.test(text.charAt(token.start));
    if (token!.parts & P.since && steps < REACH.rest) return false;
  }
  return false;
}

/** "B? Yes.", "A: No", "B) true" */
function verdictOf(tokens: readonly Token[], mention: Mention, text: string): 'yes' | 'no' | null {
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
  for (let steps = 0; !isBorder(tokens[at]) && steps < REACH.rest; at += 1, steps += 1);
  const across = endsSentence(tokens[at]);
  while (tokens[at] !== undefined && isBorder(tokens[at])) at += 1;
  let points = false;
  let but = false;
  let all = 0;
  for (let steps = 0; steps < REACH.rest; at += 1, steps += 1) {
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
