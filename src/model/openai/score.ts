/**
 * The log-probability of a continuation, from the tokens of prompt and continuation as an endpoint echoes them: one text,
 * tokenized jointly. Exact, unlike what can be made of lists of the likeliest tokens.
 */
import { AuditError } from '../../errors.ts';
import type { Reply } from './reply.ts';
import { bytesIn, SPELLINGS } from './spelling.ts';
import type { ListedName, NamedToken } from './tokens.ts';

export interface ScoredText {
  /** Natural logarithm; the sum over the continuation's tokens. */
  readonly logProb: number;
  readonly tokens: number;
  /** UTF-8 bytes of the continuation. */
  readonly bytes: number;
  /** A token spans the join; all of it counts as the continuation's. */
  readonly backedOff: boolean;
}

/** As in lists.ts. */
const SAME_NATS = 0.05;
/** Of one number that is written twice. */
const SAME_NUMBER = 1e-6;
/** Servers lose one of two tokens that have the same name, so that a few of many may be at odds with their lists. */
const MOST_WRONG = 0.1;

function unreadable(why: string): AuditError {
  return new AuditError(
    'not_supported',
    `the echoed tokens cannot be read as the text that was asked: ${why}; score it on a GGUF model`,
    { missing: 'echo' },
  );
}

/** The bytes of each token, in a spelling in which all of them give the text; null without one. In front may stand what begins every text. */
export function echoPieces(tokens: readonly NamedToken[], text: string): readonly Buffer[] | null {
  const wanted = Buffer.from(text);
  for (const spelling of SPELLINGS) {
    const pieces = tokens.map((token) => bytesIn(spelling, token));
    if (pieces.includes(null)) continue;
    const joined = Buffer.concat(pieces as Buffer[]);
    if (joined.subarray(Math.max(0, joined.length - wanted.length)).equals(wanted)) return pieces as Buffer[];
  }
  return null;
}

/** `behind` is how many tokens were generated behind the text. Throws `not_supported` for tokens that are not those of the text. */
export function scoreEcho({ echo }: Reply, prompt: string, continuation: string, behind: number): ScoredText {
  const own = echo.slice(0, echo.length - behind);
  const pieces = echoPieces(own, prompt + continuation);
  if (pieces === null) throw unreadable('they give another text');
  const bytes = Buffer.byteLength(continuation);
  const join = pieces.reduce((sum, piece) => sum + piece.length, 0) - bytes;
  let logProb = 0;
  let tokens = 0;
  let backedOff = false;
  let start = 0;
  for (const [at, { logProb: value }] of own.entries()) {
    const end = start + pieces[at]!.length;
    if (end > join) {
      if (value === null)
        throw unreadable('the first of them has no log-probability, and belongs to what is scored');
      if (!(value <= 0)) throw unreadable(`a log-probability is ${value}`);
      if (tokens === 0) backedOff = start < join;
      logProb += value;
      tokens += 1;
    }
    start = end;
  }
  if (tokens === 0) throw unreadable('the continuation has none');
  return { logProb, tokens, bytes, backedOff };
}

/** A token that the model itself wrote behind a text, and its log-probability there. */
export interface KnownStep {
  readonly text: string;
  readonly logProb: number;
}

function contradicts({ text, logProb }: NamedToken, list: readonly ListedName[]): boolean {
  if (logProb === null || list.length === 0) return false;
  const listed = list.find((own) => own.text === text);
  if (listed) return Math.abs(listed.logProb - logProb) > SAME_NATS;
  // The list has the likeliest ones; the very number of another token is that token's.
  const ofAnother = list.some((own) => Math.abs(own.logProb - logProb) < SAME_NUMBER);
  return ofAnother || logProb > list.at(-1)!.logProb + SAME_NATS;
}

/**
 * Why an echo of `text` with `known` behind it is not to be trusted; null where it is. It is held against the lists that came
 * with it, and against what the model said of the same token when it wrote it: of an echo that is one place off neither is true.
 */
export function echoFault(
  { echo, echoTops = [] }: Pick<Reply, 'echo' | 'echoTops'>,
  text: string,
  known: KnownStep | null,
  behind: number,
): string | null {
  const own = echo.slice(0, echo.length - behind);
  if (own.length < 2) return 'the answer has no log-probabilities of the given text';
  const pieces = echoPieces(own, text + (known?.text ?? ''));
  if (pieces === null) return 'the echoed tokens give another text than the one that was asked';
  const bare = own.slice(1).findIndex(({ logProb }) => logProb === null || !(logProb <= 0));
  if (bare !== -1) return `the echoed token ${bare + 1} has no log-probability that could be`;
  const wrong = own.filter((token, at) => at > 0 && contradicts(token, echoTops[at] ?? []));
  const checked = own.filter((_, at) => at > 0 && (echoTops[at]?.length ?? 0) > 0).length;
  if (wrong.length > checked * MOST_WRONG) {
    return `the echoed log-probabilities do not belong to their tokens: ${wrong.length} of ${own.length - 1} contradict the lists beside them`;
  }
  if (known === null || pieces.at(-1)!.toString('utf8') !== known.text) {
    return checked > 0 ? null : 'nothing says whether the echoed log-probabilities belong to their tokens';
  }
  const { logProb } = own.at(-1)!;
  return Math.abs(logProb! - known.logProb) > SAME_NATS + 0.02 * Math.abs(known.logProb)
    ? `the echoed log-probabilities do not belong to their tokens: the last one is ${logProb}, and the model gave that token ${known.logProb} when it wrote it`
    : null;
}
