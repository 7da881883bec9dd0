/** Denials, doubts, conditions and questions that a declaration stands under. */
import type { Cue } from './front.ts';
import { DENIES, PARTS as P } from './languages/language.ts';
import type { Mention } from './mention.ts';
import { endsSentence, isNamed, type Token } from './tokens.ts';

/** How many tokens far the looks go: in a clause, in a sentence, to a ground for what is said. */
const REACH = { piece: 40, sentence: 80, rest: 24 } as const;
const GROUND_ENDS = /[\p{sc=Hiragana}\p{sc=Hangul}]$/u;

/** Denials, doubts and conditions in front: in the clause of the declaration, and in those that hold for it. */
export function isDeniedInFront(
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
    if (parts & (concluded ? P.cond : DENIES | P.concede) && at !== cue && !(crossed && at > cue))
      return true;
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
      // "They're wrong: it is B."
      const doubts = nearest && words <= 2 && !(all & P.wrong) ? P.maybe : 0;
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

/** Does the sentence end with a question mark? */
export function isAsked(tokens: readonly Token[], mention: Mention, text: string): boolean {
  for (let at = mention.to + 1, steps = 0; steps < REACH.sentence; at += 1, steps += 1) {
    const token = tokens[at];
    if (endsSentence(token)) return token !== undefined && /[?؟]/u.test(text.charAt(token.start));
    if (token!.parts & P.since && steps < REACH.rest) return false;
  }
  return false;
}
