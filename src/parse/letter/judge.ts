/**
 * Whether a text stands by what it names. A mention counts where the words in front of it, or those behind it, declare it,
 * and nothing in its clause denies, doubts, reports or criticises it. All looks go a bounded number of tokens far.
 */
import { endsClause, isTakenBack, lookBehind, verdictOf } from './behind.ts';
import { isAsked, isDeniedInFront } from './denied.ts';
import { type Cue, lookFront } from './front.ts';
import type { Mention } from './mention.ts';
import type { Token } from './tokens.ts';

export interface Judgement {
  readonly cue: Cue | null;
  /** Index of the token at which the declaration starts. */
  readonly from: number;
  /** The clause denies, doubts, asks, reports or criticises. */
  readonly setAside: boolean;
}

export function judge(tokens: readonly Token[], mention: Mention, text: string): Judgement {
  const front = lookFront(tokens, mention, text);
  const behind = lookBehind(tokens, mention, text);
  const verdict = verdictOf(tokens, mention, text);
  if (verdict === 'yes') return { cue: 'right', from: mention.from, setAside: false };
  const cue = behind.right && front.cue !== 'final' ? 'right' : front.cue;
  const listed = front.direct && mention.answer === 'several';
  const strict =
    cue === 'so' ||
    cue === 'shown' ||
    cue === 'doing' ||
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
  const rest = cue !== 'doing' || endsClause(tokens, mention.to) || behind.right;
  const held = rest && cue !== null && !listed && (!strict || behind.closed || behind.right);
  return { cue: held ? cue : null, from, setAside };
}
