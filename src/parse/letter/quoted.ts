/** Speech in quotation marks, and speech that is reported: the writer's own, or that of others. */
import { PARTS as P } from './languages/language.ts';
import { endsSentence, isBorder, type Token } from './tokens.ts';

/** In plain text, where all marks of this kind are straight. */
const QUOTED = /"[^"\n]{1,400}"|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』/gu;
/** How many tokens far the looks go. */
const REACH = 24;

export interface Quotation {
  /** Indices of its first token and of the first behind it. */
  readonly from: number;
  readonly to: number;
  /** More than a name: 'The answer is "B"' quotes no speech. */
  readonly speaks: boolean;
}

/** In the order of the text. */
export function quotationsOf(text: string, tokens: readonly Token[]): Quotation[] {
  let at = 0;
  const behind = (place: number) => {
    while (at < tokens.length && tokens[at]!.start < place) at += 1;
    return at;
  };
  return [...text.matchAll(QUOTED)].map(({ 0: whole, index }) => {
    const end = index + whole.length;
    const [from, to] = [behind(index), behind(end)];
    const words = tokens.slice(from, to).filter(({ kind, parts }) => kind === 'word' && !(parts & P.option));
    return { from, to, speaks: words.length > 0 };
  });
}

/** Whether what a quotation says is the writer's own: "I answer: '...'", or nothing but the quotation; not "..., he said". */
export function isOwnSpeech({ from, to }: Quotation, tokens: readonly Token[], text: string): boolean {
  return introduces(tokens, from) && !isAttributed(tokens, to, text);
}

const LEADS = P.fill | P.so | P.be | P.me | P.right | P.final | P.option;

/** The words of the sentence in front of a quotation declare it, or there are none. */
function introduces(tokens: readonly Token[], from: number): boolean {
  let plain = true;
  let all = 0;
  for (let at = from - 1, steps = 0; steps < REACH; at -= 1, steps += 1) {
    const token = tokens[at];
    if (endsSentence(token)) break;
    if (token!.kind !== 'word') continue;
    plain &&= (token!.parts & LEADS) !== 0;
    all |= token!.parts;
  }
  if (all & (P.maybe | P.said)) return false;
  return plain || (all & (P.answer | P.choose)) !== 0 || ((all & P.verb) !== 0 && (all & P.me) !== 0);
}

/** The sentence continues behind a quotation, and not with a ground for it. */
function isAttributed(tokens: readonly Token[], to: number, text: string): boolean {
  let at = to;
  if (tokens[at]?.kind === 'comma') at += 1;
  const next = tokens[at];
  if (next?.kind !== 'word' || next.parts & P.since) return false;
  const isNew = endsSentence(tokens[to - 2]) && /\p{Lu}/u.test(text.charAt(next.start));
  return !isNew;
}

/** "My friend said it is B", "It is B, said a neighbour", where the text itself is no such speaker. */
export function isReported(tokens: readonly Token[], from: number, to: number): boolean {
  return isSaidBefore(tokens, from) || isSaidBehind(tokens, to);
}

function isSaidBefore(tokens: readonly Token[], from: number): boolean {
  for (let at = from - 1; at > from - 7; at -= 1) {
    const token = tokens[at];
    if (token === undefined || endsSentence(token)) return false;
    if (token.parts & P.said) return isOthers(tokens, at);
    const apart = token.kind === 'bracket' || token.kind === 'comma' || token.kind === 'sign';
    if (!apart && !(token.parts & (P.that | P.me | P.fill | P.it))) return false;
  }
  return false;
}

/** The subject of a verb of speech is neither the writer, right in front of it, nor the text. */
function isOthers(tokens: readonly Token[], verb: number): boolean {
  if ((tokens[verb - 1]?.parts ?? 0) & P.me) return false;
  for (let at = verb - 1; at > verb - 7 && !isBorder(tokens[at]); at -= 1)
    if (tokens[at]!.parts & P.source) return false;
  return true;
}

function isSaidBehind(tokens: readonly Token[], to: number): boolean {
  let at = to + 1;
  let parted = false;
  for (; at < to + 4; at += 1) {
    const { kind } = tokens[at] ?? {};
    if (kind === 'comma' || kind === 'bracket') parted = true;
    else break;
  }
  const first = tokens[at];
  if (!parted || first?.kind !== 'word' || first.parts & P.since) return false;
  if (first.parts & P.said) return !((tokens[at + 1]?.parts ?? 0) & P.me);
  for (let next = at + 1; next < at + 5; next += 1) {
    const token = tokens[next];
    if (token?.kind !== 'word') return false;
    if (token.parts & P.said) return isBorder(tokens[next + 1]) && isOthers(tokens, next);
  }
  return false;
}
