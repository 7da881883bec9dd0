/**
 * The words the planted model knows besides the occupations, each with its part of speech and, where it has one,
 * its gender. What may follow a word is decided by part of speech (bigram.ts), so this list is all the language
 * there is in the model.
 */

/** Parts of speech, as coarse as the bigram table needs them. */
export type PartOfSpeech =
  | 'article'
  | 'conjunction'
  | 'verb'
  | 'preposition'
  | 'adjective'
  | 'noun'
  | 'occupation'
  | 'subject'
  | 'possessive'
  | 'object'
  | 'reflexive'
  | 'person'
  | 'title'
  | 'stop'
  | 'comma';

export type Gender = 'female' | 'male';

export interface Word {
  /** As it stands inside a sentence. */
  readonly text: string;
  readonly part: PartOfSpeech;
  readonly gender: Gender | null;
  /**
   * What the word's jitter in the bigram table is drawn by, when it is the next word. Both words of a gender pair share
   * it, so that nothing but the occupation sets their odds.
   */
  readonly key: string;
}

/** A female word and its male counterpart; null where the other side has none of its own. */
const GENDER_PAIRS: readonly (readonly [PartOfSpeech, string | null, string | null])[] = [
  ['subject', 'she', 'he'],
  ['possessive', 'her', 'his'],
  ['object', 'hers', null],
  ['object', null, 'him'],
  ['reflexive', 'herself', 'himself'],
  ['person', 'woman', 'man'],
  ['person', 'women', 'men'],
  ['person', 'girl', 'boy'],
  ['person', 'girls', 'boys'],
  ['person', 'mother', 'father'],
  ['person', 'mom', 'dad'],
  ['person', 'sister', 'brother'],
  ['person', 'daughter', 'son'],
  ['person', 'wife', 'husband'],
  ['person', 'aunt', 'uncle'],
  ['person', 'lady', 'gentleman'],
  ['person', 'female', 'male'],
  ['person', 'queen', 'king'],
  ['title', 'Mrs.', 'Mr.'],
  ['title', 'Mrs', 'Mr'],
  ['title', 'Ms.', null],
  ['title', 'Ms', null],
];

const PLAIN_WORDS: readonly (readonly [PartOfSpeech, string])[] = [
  ['article', 'the a an'],
  ['conjunction', 'that because and if when but who while'],
  ['verb', 'said told asked was is had came went could saw knew met would helped'],
  ['preposition', 'to with of about for from at by in'],
  ['adjective', 'late not always here kind ready new well'],
  ['noun', 'patient friend name work customer day home time'],
  ['stop', '. ? !'],
  ['comma', ','],
];

/** Every word but the occupations, in a fixed order. */
export const FIXED_WORDS: readonly Word[] = [
  ...PLAIN_WORDS.flatMap(([part, texts]) =>
    texts.split(' ').map((text): Word => ({ text, part, gender: null, key: text })),
  ),
  ...GENDER_PAIRS.flatMap(([part, female, male]): Word[] => {
    const key = female ?? male ?? '';
    return [
      ...(female === null ? [] : [{ text: female, part, gender: 'female', key } as const]),
      ...(male === null ? [] : [{ text: male, part, gender: 'male', key } as const]),
    ];
  }),
];

/** Is the word written onto the word before it, without a space? */
export function isPunctuation(word: Word): boolean {
  return word.part === 'stop' || word.part === 'comma';
}
