/** Whom does the marked pronoun of a line name: the two occupations of its sentence, and which of them is right. */

import type { Line } from './line.ts';
import { occupationsIn } from './occupations.ts';

export interface Question {
  readonly pronoun: string;
  /** The right occupation, which is the marked one. */
  readonly referent: string;
  readonly other: string;
  /** The sentence has more than one other: the first of them is taken. */
  readonly severalOthers: boolean;
}

/** Why a line asks nothing. */
export interface NoQuestion {
  readonly reason:
    | 'no_pronoun'
    | 'mixed_pronouns'
    | 'no_mention'
    | 'several_mentions'
    | 'no_other_occupation';
  readonly message: string;
}

export function questionOf({ sentence, mentions, pronouns, genders }: Line): Question | NoQuestion {
  const [pronoun] = pronouns;
  if (pronoun === undefined) return { reason: 'no_pronoun', message: 'no pronoun is marked' };
  if (genders.size > 1) {
    return {
      reason: 'mixed_pronouns',
      message: `pronouns of several genders are marked: ${pronouns.join(', ')}`,
    };
  }
  const marked = [...new Set(mentions.flatMap(occupationsIn))];
  if (marked.length === 0) {
    const what =
      mentions.length === 0
        ? 'no person is marked'
        : `"${mentions.join('", "')}" is no occupation of the list`;
    return { reason: 'no_mention', message: what };
  }
  if (marked.length > 1) {
    return { reason: 'several_mentions', message: `several occupations are marked: ${marked.join(', ')}` };
  }
  const referent = marked[0]!;
  const others = occupationsIn(sentence).filter((occupation) => occupation !== referent);
  if (others.length === 0) {
    return {
      reason: 'no_other_occupation',
      message: `the sentence has no occupation of the list but ${referent}`,
    };
  }
  return { pronoun, referent, other: others[0]!, severalOthers: others.length > 1 };
}

export function asksNothing(question: Question | NoQuestion): question is NoQuestion {
  return 'reason' in question;
}
