/**
 * The log-probability of a continuation, from the tokens of prompt and continuation as an endpoint echoes them: one text,
 * tokenized jointly. Exact, unlike what can be made of lists of the likeliest tokens.
 */
import { AuditError } from '../../errors.ts';
import type { Reply } from './reply.ts';

export interface ScoredText {
  /** Natural logarithm; the sum over the continuation's tokens. */
  readonly logProb: number;
  readonly tokens: number;
  /** UTF-8 bytes of the continuation. */
  readonly bytes: number;
  /** A token spans the join; all of it counts as the continuation's. */
  readonly backedOff: boolean;
}

function unreadable(why: string): AuditError {
  return new AuditError(
    'not_supported',
    `the echoed tokens cannot be read as the text that was asked: ${why}; score it on a GGUF model`,
    { missing: 'echo' },
  );
}

/** `behind` is how many tokens were generated behind the text. Throws `not_supported` for tokens that are not those of the text. */
export function scoreEcho({ echo }: Reply, prompt: string, continuation: string, behind: number): ScoredText {
  const own = echo.slice(0, echo.length - behind);
  const joined = own.map(({ text }) => text).join('');
  const text = prompt + continuation;
  // In front may stand what begins every text.
  if (!joined.endsWith(text)) throw unreadable('they give another text');
  const join = joined.length - continuation.length;
  let logProb = 0;
  let tokens = 0;
  let backedOff = false;
  let start = 0;
  for (const { text: piece, logProb: value } of own) {
    const end = start + piece.length;
    if (end > join) {
      if (value === null)
        throw unreadable('the first of them has no log-probability, and belongs to what is scored');
      if (tokens === 0) backedOff = start < join;
      logProb += value;
      tokens += 1;
    }
    start = end;
  }
  if (tokens === 0) throw unreadable('the continuation has none');
  return { logProb, tokens, bytes: Buffer.byteLength(continuation), backedOff };
}
