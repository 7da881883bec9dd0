/** A text taken apart once: its tokens, what it names, and how it stands to each of these. */
import { type Judgement, judge } from './judge.ts';
import { type Mention, mentionsOf } from './mention.ts';
import { isOwnSpeech, isReported, quotationsOf } from './quoted.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { type Token, tokensOf } from './tokens.ts';
import type { Offer } from './types.ts';

export interface Judged extends Mention, Judgement {
  /** Index of the token at which the mention, not its declaration, starts. */
  readonly at: number;
}

export interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly named: readonly Judged[];
  readonly sentences: readonly Sentence[];
}

export function readingOf(text: string, offer: Offer): Reading {
  const tokens = tokensOf(text, offer);
  const isSpokenByOthers = speechOfOthers(text, tokens);
  const named = mentionsOf(tokens, offer, text).map((mention) => {
    const judgement = judge(tokens, mention, text);
    const setAside = judgement.setAside || isSpokenByOthers(mention, judgement.from);
    return { ...mention, at: mention.from, ...judgement, setAside };
  });
  return { text, tokens, named, sentences: sentencesOf(tokens, text) };
}

/** Of mentions in the order of the text: does someone else than the writer declare it? */
function speechOfOthers(text: string, tokens: readonly Token[]): (one: Mention, declared: number) => boolean {
  const quotations = quotationsOf(text, tokens);
  const own = new Map<number, boolean>();
  let next = 0;
  return ({ from, to }, declared) => {
    while (next < quotations.length && quotations[next]!.to <= from) next += 1;
    const quotation = quotations[next];
    if (quotation?.speaks && quotation.from <= declared && to < quotation.to) {
      if (!own.has(next)) own.set(next, isOwnSpeech(quotation, tokens, text));
      return !own.get(next);
    }
    return isReported(tokens, Math.min(declared, from), to);
  };
}
