/** A list of the likeliest tokens, as an endpoint gives it, brought to what it proves, or to why it proves nothing. */
import type { ListedStep, ListedToken } from '../../observation/observation.ts';
import type { Reply } from './reply.ts';
import { possibleIn, type Spelling, spellingsOf, textsIn } from './spelling.ts';
import type { ListedName } from './tokens.ts';

/** A sum of probabilities above it is none of one distribution. */
const MOST_TOGETHER = 1.001;
/** Two ways to one number differ by rounding, and by what is computed together. */
const SAME_NATS = 0.05;
/** Behind a list of the whole distribution much is left; behind one that was made to sum to 1, rounding. */
const LEAST_REST = 0.1;
const ROUNDING = 1e-6;
/** What servers write of a token whose log-probability they do not tell, or that may not be chosen: -9999, null, the least float. */
const NO_LOG_PROB = -1000;

/** Those of a list whose log-probabilities are said. */
function saidOf(top: readonly ListedName[]): ListedName[] {
  return top.filter(({ logProb }) => logProb > NO_LOG_PROB);
}

/**
 * `asked` is how many were asked for. Some servers put the chosen token behind them, and some lose one of two tokens
 * that have the same text; where two of one name are left, neither is known.
 */
export function listedStep(top: readonly ListedToken[], asked: number): ListedStep {
  const counts = new Map<string, number>();
  for (const { key } of top) counts.set(key, (counts.get(key) ?? 0) + 1);
  const tokens = top.filter(({ key }) => counts.get(key) === 1);
  const nameless = top.filter(({ key }) => counts.get(key)! > 1).map(({ logProb }) => logProb);
  // The K-th likeliest of K or more. With fewer, one that is lost may be likelier than those that are there.
  const least = top.length >= asked ? top[asked - 1]!.logProb : Number.POSITIVE_INFINITY;
  return { tokens, mostUnlisted: Math.max(least, ...nameless) };
}

/**
 * Whether the list is one of the model's own distribution; null, or what it looks like. At temperature 0 a list of what
 * was chosen from has one token with all the probability.
 */
export function listFault(top: readonly ListedToken[]): string | null {
  if (top.length === 0) return 'the answer lists no tokens';
  const sum = top.reduce((total, { logProb }) => total + Math.exp(logProb), 0);
  if (top.some(({ logProb }) => !(logProb <= 0)) || !(sum <= MOST_TOGETHER)) {
    return `the listed probabilities come to ${sum}: they are none of one distribution`;
  }
  if (top[0]!.logProb === 0) {
    return 'the first listed token has a probability of 1: these are probabilities after sampling, not those of the model';
  }
  const least = Math.exp(top.at(-1)!.logProb);
  return top.length > 1 && 1 - sum < least * LEAST_REST && least * LEAST_REST >= ROUNDING
    ? 'the listed probabilities come to 1, as those of tokens that are left after sampling do'
    : null;
}

const quoted = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** A list that is tied to the text that came: the spellings that hold, and the tokens by their texts. */
export interface TiedList {
  readonly spellings: readonly Spelling[];
  readonly top: readonly ListedName[];
}

/**
 * Ties a list to the text: the names of what was written must give the text that came in a spelling that holds for the
 * endpoint, and (`cold`: nothing was drawn) the first token must be the likeliest one of the list. Gives the reason where it cannot be done.
 */
export function tieList(
  { top: given, written, text }: Pick<Reply, 'top' | 'written' | 'text'>,
  among: readonly Spelling[] | undefined,
  cold: boolean,
): TiedList | string {
  const top = saidOf(given);
  const fault = listFault(top);
  if (fault !== null) return fault;
  const [first] = written;
  if (first === undefined)
    return 'the list does not say which token was chosen, so that it cannot be tied to the text';
  const holding = spellingsOf(written, text, among);
  if (holding.length === 0) {
    const named = written.map(({ text: own }) => own).join('');
    return `the list cannot be tied to the text: what was written is named ${quoted(named)}, and the text that came is ${quoted(text)}`;
  }
  const spellings = possibleIn(holding, top);
  const texts = textsIn(spellings, top);
  if (texts === null) {
    return `the list cannot be tied to the text: its tokens can be read as ${holding.join(' or as ')}, which are not the same texts`;
  }
  const chosen = top.find(({ text: own }) => own === first.text);
  if (cold && (chosen === undefined || top[0]!.logProb - chosen.logProb > SAME_NATS)) {
    return `the list does not belong to the text: ${quoted(first.text)} was chosen, and ${quoted(top[0]!.text)} is listed as the likeliest`;
  }
  if (chosen && first.logProb !== null && Math.abs(chosen.logProb - first.logProb) > SAME_NATS) {
    return `the list does not belong to the text: ${quoted(first.text)} has two log-probabilities, ${first.logProb} and ${chosen.logProb}`;
  }
  return { spellings, top: top.map((own, at) => ({ ...own, text: texts[at]! })) };
}
