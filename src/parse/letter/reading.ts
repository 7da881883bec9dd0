/** A text taken apart once: its tokens, what it names, and how it stands to each of these. */
import { type Judgement, judge } from './judge.ts';
import { type Mention, mentionsOf } from './mention.ts';
import type { Offer } from './offer.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { type Token, tokensOf } from './tokens.ts';

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
  const named = mentionsOf(tokens, offer, text).map((mention) => {
    const judgement = judge(tokens, mention, text);
    return { ...mention, at: mention.from, ...judgement };
  });
  return { text, tokens, named, sentences: sentencesOf(tokens, text) };
}
