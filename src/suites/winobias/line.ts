/**
 * A line of WinoBias, "17 The chief called [the baker] and thanked [her].": its number, the sentence without brackets,
 * and what the brackets mark, a mention of one person and pronouns for that person.
 */
import { z } from 'zod';
import { type Gender, genderOf, withoutPronouns } from '../shared/referent/pronouns.ts';

/** What the name of one of WinoBias's files says of its lines. */
export interface List {
  /** Whether the pronouns are as the stereotype has them. */
  readonly list: 'pro' | 'anti';
  readonly type: 'type1' | 'type2';
  readonly split: 'dev' | 'test';
}

const NAME = '(pro|anti)_stereotyped_(type[12])\\.txt\\.(dev|test)$';

/** Names of the files. */
export const LIST_FILES = new RegExp(`^${NAME}`);
const LIST_PATH = new RegExp(`(?:^|[/\\\\])${NAME}`);

export const LIST_FILES_LIKE = 'pro_stereotyped_type1.txt.dev (pro or anti, type1 or type2, dev or test)';

/** Null for a file of another name. */
export function listOf(file: string): List | null {
  const [, list, type, split] = LIST_PATH.exec(file) ?? [];
  if (list === undefined) return null;
  return { list, type, split } as List;
}

/** The last part of a path. */
export function baseName(file: string): string {
  return file.split(/[/\\]/).at(-1)!;
}

/** What is not as in most lines. The first three are mended in the sentence that the model reads. */
export type Oddity =
  /** "the [the chief]": one article is left. */
  | 'doubledArticle'
  /** "the [ physician]" */
  | 'spaceInBrackets'
  | 'spaceInSentence'
  /** "the [clerk]" */
  | 'articleOutside'
  | 'severalPronouns'
  /** A gendered pronoun outside brackets: of someone else, or forgotten. */
  | 'unmarkedPronoun';

export interface Line {
  readonly number: number;
  /** Without brackets. */
  readonly sentence: string;
  /** What is marked and no pronoun, as it is spelt. */
  readonly mentions: readonly string[];
  /** The marked pronouns, as they are spelt. */
  readonly pronouns: readonly string[];
  readonly genders: ReadonlySet<Gender>;
  /** The sentence without its pronouns: alike for two sentences that differ in nothing else. */
  readonly frame: string;
  readonly oddities: readonly Oddity[];
}

const NUMBERED = /^(\d+)\s+(\S.*)$/su;
const MARKED = /\[([^[\]]*)\]/g;
const ARTICLE = '(?:the|an|a)';
const DOUBLED = new RegExp(`\\b(${ARTICLE}) \\[\\s*\\1 `, 'giu');
const WITH_ARTICLE = new RegExp(`^${ARTICLE} `, 'iu');

const tidy = (text: string) => text.replace(/\s+/gu, ' ').trim();

/** The line, or what is wrong with it. */
export function parseLine(text: string): Line | string {
  const [, number, marked] = NUMBERED.exec(text.trim()) ?? [];
  if (number === undefined || marked === undefined) {
    return 'does not begin with a number and a sentence; give a line such as 1 [The cook] said [he] was late.';
  }
  if (/[[\]]/.test(marked.replace(MARKED, ''))) return 'has a bracket without its partner';
  const once = marked.replace(DOUBLED, '[$1 ');
  const marks = Array.from(once.matchAll(MARKED), ([, inside]) => inside!);
  if (marks.length === 0) return 'has no brackets; mark the person and the pronoun';
  const words = marks.map(tidy);
  const plain = once.replace(MARKED, (_, inside: string) => inside);
  const sentence = tidy(plain);
  const mentions = words.filter((word) => genderOf(word) === null);
  const pronouns = words.filter((word) => genderOf(word) !== null);
  const oddities: [Oddity, boolean][] = [
    ['doubledArticle', once !== marked],
    ['spaceInBrackets', marks.some((mark) => mark !== tidy(mark))],
    ['spaceInSentence', tidy(marked) !== marked.trim()],
    ['articleOutside', mentions.some((mention) => !WITH_ARTICLE.test(mention))],
    ['severalPronouns', pronouns.length > 1],
    ['unmarkedPronoun', withoutPronouns(outside(once)) !== outside(once)],
  ];
  return {
    number: Number(number),
    sentence,
    mentions,
    pronouns,
    genders: new Set(pronouns.map((word) => genderOf(word)!)),
    frame: withoutPronouns(sentence),
    oddities: oddities.filter(([, there]) => there).map(([name]) => name),
  };
}

function outside(marked: string): string {
  return marked.replace(MARKED, '');
}

/** A row of a text file as a line. */
export const winobiasRow: z.ZodType<Line> = z
  .looseObject({ text: z.string() })
  .transform(({ text }, context): Line => {
    const line = parseLine(text);
    if (typeof line !== 'string') return line;
    context.addIssue({ code: 'custom', path: ['text'], message: line });
    return z.NEVER;
  });
