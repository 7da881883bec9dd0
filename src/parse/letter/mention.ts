/** Places where a text names what may be its answer: letters that stand together, and texts of options. */
import type { Answer } from './claims.ts';
import { PARTS } from './languages/language.ts';
import type { Token } from './tokens.ts';
import type { Offer } from './types.ts';

export interface Mention {
  /** Indices of the first and the last token. */
  readonly from: number;
  readonly to: number;
  readonly answer: Answer;
  readonly kind: 'letter' | 'option';
  /** Every letter of it is in lower case and without brackets. */
  readonly small: boolean;
  /** In brackets: "(B)". */
  readonly enclosed: boolean;
}

/** In the order of the tokens. "A or B", "A/B" are one mention of several; "B (the woman)" is one of B. */
export function mentionsOf(tokens: readonly Token[], offer: Offer, text: string): Mention[] {
  const mentions: Mention[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { kind, index } = tokens[at]!;
    if (kind === 'letter') {
      const mention = lettersFrom(tokens, at, offer, text);
      mentions.push(mention);
      at = mention.to + 1;
    } else {
      if (kind === 'option') {
        mentions.push({ from: at, to: at, answer: index!, kind: 'option', small: false, enclosed: false });
      }
      at += 1;
    }
  }
  return mentions;
}

function lettersFrom(tokens: readonly Token[], from: number, offer: Offer, text: string): Mention {
  const { letter } = tokens[from]!;
  const letters = new Set([letter!.letter]);
  let to = from;
  for (;;) {
    const next = nextJoined(tokens, to, text);
    if (next === null) break;
    letters.add(tokens[next]!.letter!.letter);
    to = next;
  }
  const single = { from, kind: 'letter', small: letter!.small, enclosed: letter!.enclosed } as const;
  if (letters.size > 1) return { ...single, to, answer: 'several' };
  const index = offer.letters.indexOf(letter!.letter);
  if (index === -1) return { ...single, to, answer: { notOffered: letter!.letter } };
  const spelt = speltOut(tokens, to);
  if (spelt === null) return { ...single, to, answer: index };
  return { ...single, to: spelt, answer: tokens[spelt]!.index === index ? index : 'several' };
}

/** The token of an option's text right behind a letter: "B (the woman)", "B. Unknown". */
function speltOut(tokens: readonly Token[], at: number): number | null {
  for (let next = at + 1; next <= at + 3; next += 1) {
    const token = tokens[next];
    if (token === undefined) return null;
    if (token.kind === 'option') return next;
    const apart =
      token.kind === 'bracket' || token.kind === 'sign' || token.kind === 'comma' || token.kind === 'stop';
    if (!apart) return null;
  }
  return null;
}

/** The letter that is joined to the one at `at` by a comma, a stroke or a word for "and" or "or". */
function nextJoined(tokens: readonly Token[], at: number, text: string): number | null {
  let joined = /^ ?[/&|]/u.test(text.slice(tokens[at]!.end, tokens[at]!.end + 2));
  for (let next = at + 1; next <= at + 4; next += 1) {
    const token = tokens[next];
    if (token === undefined) return null;
    if (token.kind === 'letter') return joined && !isSetAside(tokens, next) ? next : null;
    if (token.kind === 'comma' || token.parts & PARTS.join) joined = true;
    else if (token.kind !== 'bracket' && !(token.parts & PARTS.option) && token.kind !== 'sign') return null;
    if (token.kind === 'sign' && text[token.start] !== '|') return null;
  }
  return null;
}

/** "B, A is not supported": the second begins a sentence of its own. */
function isSetAside(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return next?.kind === 'word' && !(next.parts & PARTS.join) && tokens[at - 1]?.kind === 'comma';
}
