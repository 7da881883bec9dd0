/** What a sentence of a text as a whole says: does it doubt, deny, criticise or ask? */
import { PARTS } from './languages/language.ts';
import type { Token } from './tokens.ts';

const DOUBTS = PARTS.not | PARTS.maybe | PARTS.cond | PARTS.bad | PARTS.wrong;

export interface Sentence {
  /** Index of the first token, and of the first behind. */
  readonly from: number;
  readonly to: number;
  /** All parts that its words play. */
  readonly parts: number;
  readonly plain: boolean;
}

export function sentencesOf(tokens: readonly Token[], text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  let parts = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token !== undefined && token.kind !== 'stop' && token.kind !== 'newline') {
      parts |= token.parts;
      continue;
    }
    const asks = token?.kind === 'stop' && /[?؟]/u.test(text.charAt(token.start));
    if (at > from) sentences.push({ from, to: at, parts, plain: !(parts & DOUBTS) && !asks });
    from = at + 1;
    parts = 0;
  }
  return sentences;
}
