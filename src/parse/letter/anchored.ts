/**
 * The product's own reading of an answer: a letter counts where the text declares it, stands it alone or puts it in
 * front of an option, never because it occurs. What cannot be told is unparsed, with the reason.
 */
import { findingOf, settle } from './claims.ts';
import { declaredClaims } from './declared.ts';
import { labelClaims, withoutList } from './labels.ts';
import { mentionedLetters } from './mentions.ts';
import type { Offer } from './offer.ts';
import { mentionedOptions, optionTexts, wholeOption } from './option-text.ts';
import { saysUnknown } from './phrases.ts';
import { plainText } from './plain.ts';
import type { Finding } from './types.ts';
import { firstTurn, withinTurn, withoutThoughts } from './visible.ts';

export interface AnchoredOptions {
  /** In capitals. */
  readonly letters: readonly string[];
  readonly unknownIndex: number | null;
  readonly options: readonly string[] | null;
}

export function readAnchored(whole: string, { letters, unknownIndex, options }: AnchoredOptions): Finding {
  const offer: Offer = { letters, unknownIndex, options: optionTexts(options ?? []) };
  const { text, unfinished } = withoutThoughts(whole);
  const plain = plainText(withinTurn(text));
  const turn = firstTurn(plain);
  const first = turn === null ? NOTHING : readPlain(turn, offer);
  const found = isNothing(first) ? readPlain(plain, offer) : first;
  return unfinished && isNothing(found) ? { kind: 'none', reason: 'unfinished' } : found;
}

const NOTHING: Finding = { kind: 'none', reason: 'no_answer' };

function isNothing(finding: Finding): boolean {
  return finding.kind === 'none' && finding.reason === 'no_answer';
}

function readPlain(text: string, offer: Offer): Finding {
  const whole = wholeOption(text, offer);
  if (whole !== null) return { kind: 'letter', index: whole, rule: 'option_text' };
  const claims = [...declaredClaims(text, offer), ...labelClaims(text, offer)];
  claims.sort((a, b) => a.start - b.start || b.tier - a.tier);
  const held = settle(text, claims, offer.unknownIndex);
  return held === null ? readProse(withoutList(text, offer), offer) : findingOf(held);
}

/** A text that declares nothing. */
function readProse(text: string, offer: Offer): Finding {
  const letters = mentionedLetters(text, offer);
  const unknown = saysUnknown(text);
  if (letters.size === 1) {
    const index = [...letters][0]!;
    // "It is not clear, (B)": the one or the other, unless B says just that.
    if (unknown && index !== offer.unknownIndex) return { kind: 'none', reason: 'ambiguous' };
    return { kind: 'letter', index, rule: 'declared' };
  }
  if (unknown) return { kind: 'unknown', rule: 'unknown_phrase' };
  if (letters.size > 1) return { kind: 'none', reason: 'ambiguous' };
  const spelt = mentionedOptions(text, offer);
  if (spelt.size === 1) return { kind: 'letter', index: [...spelt][0]!, rule: 'option_text' };
  return spelt.size > 1 ? { kind: 'none', reason: 'ambiguous' } : NOTHING;
}
