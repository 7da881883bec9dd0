/** Letters that a text names without declaring them: the last resort, and only where it names one. */
import { isRefuted, letterAt } from './letter-at.ts';
import type { Offer } from './offer.ts';

/** The letter stands where the match ends. */
const NAMED =
  /(?<!\p{L})(?:option|choice|answer|letter|label)s?[: ]{1,2}|(?<![\p{L}\p{N}])(?=\([A-Za-z]\))/giu;
const AT_THE_END =
  /(?:[,;.!?…)–—-] ?|\n|(?<!\p{L})(?:but|then|maybe|perhaps|probably|clearly|definitely|obviously) )(?=[A-Z][.!"]?$)/u;
const AND_NEXT = /^ ?(?:,|\/|&|and|or) ?(?:option |choice )?/iu;
/** Stands in front of a letter that is not meant. */
const SET_ASIDE =
  /(?<!\p{L})(?:not|neither|nor|rule out|ruling out|ruled out|eliminate|eliminates|exclude|reject|except|instead of|rather than|than|unlike|without|against|considered|consider)(?: (?:the|option|choice|answer|that|for))? ?$/iu;
const LOOK_BACK = 40;

/** Indices of the options named; letters that are not on offer name nothing. */
export function mentionedLetters(text: string, { letters }: Offer): Set<number> {
  const found = new Set<number>();
  let read = 0;
  const add = (at: number) => {
    let next = at;
    for (
      let token = letterAt(text, next, { small: false });
      token !== null;
      token = letterAt(text, next, { small: false })
    ) {
      const index = letters.indexOf(token.letter);
      const aside = SET_ASIDE.test(text.slice(Math.max(0, at - LOOK_BACK), at));
      if (index !== -1 && !aside && !isRefuted(text, token.end)) found.add(index);
      const joint = AND_NEXT.exec(text.slice(token.end, token.end + 16))?.[0].length ?? 0;
      if (joint === 0) break;
      next = token.end + joint;
      read = next;
    }
  };
  for (const { 0: words, index } of text.matchAll(NAMED)) {
    if (index + words.length > read) add(index + words.length);
  }
  const end = AT_THE_END.exec(text.slice(-24));
  if (end !== null) add(Math.max(0, text.length - 24) + end.index + end[0].length);
  return found;
}
