/** The table of languages as patterns over text: one of each kind for all languages, the phrases one a language. */
import type { Separators } from '../shared/answer/number.ts';
import { ASIAN } from './languages/asian.ts';
import { ENGLISH } from './languages/english.ts';
import { GERMANIC } from './languages/germanic.ts';
import { INDIAN } from './languages/indian.ts';
import type { Language } from './languages/language.ts';
import { OTHERS } from './languages/others.ts';
import { ROMANCE } from './languages/romance.ts';
import { SLAVIC } from './languages/slavic.ts';

const LANGUAGES: Readonly<Record<string, Language>> = {
  ...ENGLISH,
  ...GERMANIC,
  ...ROMANCE,
  ...SLAVIC,
  ...ASIAN,
  ...INDIAN,
  ...OTHERS,
};

const ALL = Object.values(LANGUAGES);
/** Of a word that stands by itself; scripts without spaces have no such bounds. */
const BEFORE = '(?<![\\p{L}\\p{M}\\p{N}_])';
const BEHIND = "(?![\\p{L}\\p{M}\\p{N}_'])";

type Words =
  | 'not'
  | 'notBehind'
  | 'doubt'
  | 'if'
  | 'refusal'
  | 'correction'
  | 'or'
  | 'but'
  | 'because'
  | 'question'
  | 'note'
  | 'minus';

/** The words of one kind in all languages; the bounds of words are looked at once, not for each language. */
export function wordsOf(kind: Words): string {
  const words = (unspaced: boolean) =>
    ALL.flatMap((language) => ((language.unspaced ?? false) === unspaced ? (language[kind] ?? []) : [])).join(
      '|',
    );
  const [spaced, bare] = [words(false), words(true)];
  return bare === '' ? `(?:${BEFORE}(?:${spaced})${BEHIND})` : `(?:${BEFORE}(?:${spaced})${BEHIND}|${bare})`;
}

/** The same, where it alone is on offer: without bounds, for text in front of which they are clear. */
export function bareWordsOf(kind: Words): string {
  return `(?:${ALL.flatMap((language) => language[kind] ?? []).join('|')})`;
}

export const FILLER = `(?:${ALL.flatMap(({ filler }) => filler ?? []).join('|')})`;

/** Names of an answer in all languages. */
export const ANSWER = `(?:${ALL.map(({ answer }) => answer).join('|')})`;

/** "not X but Y" up to what holds, each language by its own words. */
export const NOT_BUT = new RegExp(
  ALL.map(({ not, but, unspaced }) => {
    const gap = unspaced ? '[^.;:!?\\n。]{1,40}?' : '(?=\\s)[^.;:!?\\n,]{1,80}?,?\\s';
    const end = unspaced ? '' : '(?![\\p{L}])';
    return `${unspaced ? '' : BEFORE}(?:${not})${gap}(?:${but})${end}`;
  }).join('|'),
  'giu',
);

/** How one language says "the answer is". */
export interface Phrase {
  /** Ends in front of the answer. */
  readonly pattern: RegExp;
  /** Where a reason begins. */
  readonly because: RegExp | null;
  readonly separators: Separators | undefined;
}

const MARKS = '[\\s*_"\'`]{0,4}';

function phraseOf({ answer, is, bare, because, separators, unspaced }: Language): Phrase {
  const words = is === undefined ? [] : [unspaced ? `(?:${is})` : `(?:${is})(?![\\p{L}\\p{M}\\p{N}'])`];
  // Without a word between them only a number follows; a dash there is a sign of the number, no dash of its own.
  const joined = bare ? ['-(?= )', '(?=[ *]{0,4}[-+]?\\p{Sc}?\\d)'] : [];
  const then = [...words, '[:=]', ...joined].join('|');
  const start = unspaced ? '' : BEFORE;
  const more = words.length > 0 ? `(?:${MARKS}[:=])?` : '';
  const reason = unspaced ? `(?:${because})` : `[\\s,;]${BEFORE}(?:${because})${BEHIND}`;
  return {
    pattern: new RegExp(`${start}(?:${answer})${MARKS}(?:${then})${more}`, 'giu'),
    because: because === undefined ? null : new RegExp(reason, 'iu'),
    separators,
  };
}

const BY_LANGUAGE = new Map(Object.entries(LANGUAGES).map(([name, language]) => [name, phraseOf(language)]));
/** The tag that some models are asked to put around an answer. */
const TAG: Phrase = { pattern: /<(?:final_?)?answer>/giu, because: null, separators: undefined };
/** "The answer is" in each language. */
export const PHRASES: readonly Phrase[] = [...BY_LANGUAGE.values(), TAG];

/** Of a language by its tag ("de", "pt-BR"), null of one that is not in the table. */
export function phraseIn(tag: string | null | undefined): Phrase | null {
  return BY_LANGUAGE.get(tag?.toLowerCase().split(/[-_]/)[0] ?? '') ?? null;
}
