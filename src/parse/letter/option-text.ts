/** Options that a text spells out. */
import { isWordCharacter } from './letter-at.ts';
import { plainText } from './plain.ts';
import type { Offer, OptionText } from './types.ts';

const ARTICLE = /^(?:the|an?) /u;

/** The longest first, so that "the man on the left" is not taken for "the man". Empty texts and doublets say nothing. */
export function optionTexts(options: readonly string[]): readonly OptionText[] {
  const all = options.map((option, index) => ({ index, text: bare(option) }));
  return all
    .filter(({ text }) => text.length > 1 && all.filter((other) => other.text === text).length === 1)
    .sort((a, b) => b.text.length - a.text.length);
}

function bare(text: string): string {
  return plainText(text)
    .toLowerCase()
    .replace(/^[\s"'(]+|[\s"').!]+$/gu, '')
    .replace(ARTICLE, '');
}

/** The option that starts at a place, with or without its article. */
export function optionAt(
  text: string,
  at: number,
  { options }: Offer,
): { index: number; end: number } | null {
  const longest = options[0];
  if (longest === undefined) return null;
  const here = text.slice(at, at + longest.text.length + 8);
  const lower = here.toLowerCase();
  // A character whose lower case is of another length would move the places behind it.
  if (lower.length !== here.length) return null;
  const skipped = /^["(]?(?:(?:the|an?) )?/u.exec(lower)![0].length;
  const found = options.find(
    ({ text: option }) =>
      lower.startsWith(option, skipped) && !isWordCharacter(lower, skipped + option.length),
  );
  return found === undefined ? null : { index: found.index, end: at + skipped + found.text.length };
}

/** The option that is the whole text. */
export function wholeOption(text: string, { options }: Offer): number | null {
  const whole = bare(text);
  return options.find((option) => option.text === whole)?.index ?? null;
}
