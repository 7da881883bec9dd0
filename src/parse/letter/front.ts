/** What stands in front of a mention and declares it: "The answer is", "I choose", "so", a heading above it. */
import { DENIES, PARTS as P } from './languages/language.ts';
import type { Mention } from './mention.ts';
import { endsSentence, isBorder, isNamed, type Token } from './tokens.ts';

/**
 * By what a mention is declared. `final`, `answer`: "final answer is", "answer:"; `choose`: "I choose"; `shown`: "the text supports"; `doing`: "going with"; `it`: "it is";
 * `right`: "B is correct", "B? Yes"; `so`, `colon`: a conclusion at the end of its sentence; `contrast`: "not A but B"; `open`: it
 * is all that its sentence says; `apposition`: "The woman (B) did it".
 */
export type Cue =
  | 'final'
  | 'answer'
  | 'choose'
  | 'shown'
  | 'doing'
  | 'it'
  | 'right'
  | 'so'
  | 'colon'
  | 'contrast'
  | 'open'
  | 'apposition';

/** How many tokens far the looks go. */
const REACH = { cue: 16, noun: 18 } as const;

export interface Front {
  readonly cue: Cue | null;
  readonly from: number;
  /** The noun stands right in front: "answer B". */
  readonly direct: boolean;
}

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
    if (isCorrection(tokens, at)) return weak ?? found('so', at + 1);
    if (isBorder(token)) return weak ?? found('open', at + 1);
    if (token!.kind === 'sign') {
      const noun = nounBefore(tokens, at);
      if (noun !== null) return { ...noun, direct: false };
      if (/^[-–—|]$/u.test(text.charAt(token!.start))) return weak ?? found('open', at + 1);
      if (OTHER_NOUN.test(text.slice(Math.max(0, token!.start - 12), token!.start))) return nothing;
      return mention.small ? nothing : (weak ?? found('colon', at + 1));
    }
    if (parts & P.choose) return found('choose', at);
    if (parts & P.verb && isMine(tokens, at, text)) return found('choose', at);
    if (parts & P.verb && endsSentence(tokens[at - 1])) return found('doing', at);
    if (parts & P.shows && isShown(tokens, at)) return found('shown', at);
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

/** What is no answer though a letter stands behind a colon: "Blood type: A". */
const OTHER_NOUN = /(?<!\p{L})(?:type|grade|rating|rank|vitamin|hepatitis)$/iu;

/** Nothing but words that take back what stands in front: "No, sorry,", "Edit: after checking again,". */
function isCorrection(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at > from - 8; at -= 1) {
    const token = tokens[at];
    if (token === undefined || token.kind === 'newline') return false;
    if (token.parts & P.back) return true;
    if (token.kind === 'word' && !(token.parts & (P.fill | P.no))) return false;
    if (isNamed(token)) return false;
  }
  return false;
}

/** "The passage clearly supports", "the text, however, says". */
function isShown(tokens: readonly Token[], verb: number): boolean {
  for (let at = verb - 1; at > verb - 7; at -= 1) {
    const token = tokens[at];
    if (endsSentence(token) || isNamed(token!)) return false;
    if (token!.parts & P.source) return true;
    if (token!.kind === 'word' && token!.parts & DENIES & ~P.maybe) return false;
  }
  return false;
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

const MUST_BE = /^(?:must be|has to be|gotta be|got to be|should be|would be|will be)$/iu;

/** Languages that need no word for "it". */
const WITHOUT_IT = /^(?:es|es la|é|è|és|este|sería|seria|sarebbe|to|это|це)$/iu;

/** "It is", "this must be", at the start of a clause or behind a verb of the first person. */
function isIt(tokens: readonly Token[], be: number, text: string): boolean {
  const { start, end } = tokens[be]!;
  const word = text.slice(start, end);
  if (IS_IT.test(word) || (WITHOUT_IT.test(word) && isBorder(tokens[be - 1]))) return true;
  if (MUST_BE.test(word) && endsSentence(tokens[be - 1])) return true;
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
