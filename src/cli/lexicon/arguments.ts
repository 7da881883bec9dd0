/** What the options of `lexicon create` and `lexicon update` hold, each of them given any number of times. */
import { InvalidArgumentError } from 'commander';
import type { GroupedWord, GroupSource, LexiconPair } from '../../lexicon/index.ts';

/** GROUP=REST, split at the first equals sign. */
function split(text: string, wanted: string): [group: string, rest: string] {
  const equals = text.indexOf('=');
  const [group, rest] = [text.slice(0, equals).trim(), text.slice(equals + 1)];
  if (equals === -1 || group === '' || rest.trim() === '') throw new InvalidArgumentError(`Give ${wanted}.`);
  return [group, rest];
}

function words(text: string, wanted: string): string[] {
  const list = text.split(',').map((word) => word.trim());
  if (list.includes('')) throw new InvalidArgumentError(`A word is empty. Give ${wanted}.`);
  return list;
}

/** GROUP=FILE: a word list. */
export function groupFile(text: string, before: readonly GroupSource[] = []): readonly GroupSource[] {
  const [name, file] = split(text, 'GROUP=FILE, as in female=words.txt');
  return [...before, { name, file }];
}

const WORDS = 'GROUP=WORD,WORD, as in female=she,her';

/** GROUP=WORD,WORD: a new group. */
export function groupOfWords(text: string, before: readonly GroupSource[] = []): readonly GroupSource[] {
  const [name, rest] = split(text, WORDS);
  return [...before, { name, words: words(rest, WORDS) }];
}

/** GROUP=WORD,WORD: words of a group that is there. */
export function groupedWords(text: string, before: readonly GroupedWord[] = []): readonly GroupedWord[] {
  const [group, rest] = split(text, WORDS);
  return [...before, ...words(rest, WORDS).map((word) => ({ group, word }))];
}

const PAIR = /^([^:,]+):([^:,]+),([^:,]+):([^:,]+)(?::([^:,]+))?$/;

/** GROUP:WORD,GROUP:WORD, and the use of the words behind another colon. */
export function pair(text: string, before: readonly LexiconPair[] = []): readonly LexiconPair[] {
  const found = PAIR.exec(text)?.map((part) => part?.trim());
  const [, group, word, otherGroup, otherWord, as] = found ?? [];
  if (!group || !word || !otherGroup || !otherWord || as === '') {
    throw new InvalidArgumentError(
      'Give GROUP:WORD,GROUP:WORD, as in female:queen,male:king or female:her,male:him:object.',
    );
  }
  const sides = [
    { group, word },
    { group: otherGroup, word: otherWord },
  ] as const;
  return [...before, { words: sides, as: as ?? null }];
}

/** A name, given any number of times. */
export function names(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
