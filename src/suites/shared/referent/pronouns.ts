/** Pronouns of the third person by gender, and where they stand in a sentence. */

export type Gender = 'male' | 'female' | 'neutral';

const PRONOUNS: Readonly<Record<Gender, readonly string[]>> = {
  male: ['he', 'him', 'his', 'himself'],
  female: ['she', 'her', 'hers', 'herself'],
  neutral: ['they', 'them', 'their', 'theirs', 'themself', 'themselves'],
};

/** Whole words only: no "her" in "there", no "he" in "he-goat". */
function wordsOf(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${words.join('|')})(?![\\p{L}\\p{N}_-])`, 'giu');
}

const FINDERS = Object.fromEntries(
  Object.entries(PRONOUNS).map(([gender, words]) => [gender, wordsOf(words)]),
) as Record<Gender, RegExp>;
const GENDERED = wordsOf([...PRONOUNS.male, ...PRONOUNS.female]);

/** The first pronoun of a gender in a sentence, as it is spelt there. */
export function findPronoun(sentence: string, gender: Gender): string | null {
  return sentence.match(FINDERS[gender])?.[0] ?? null;
}

/** The gender of a word that is a pronoun; null for any other. */
export function genderOf(word: string): Gender | null {
  const lower = word.toLowerCase();
  const genders = Object.keys(PRONOUNS) as Gender[];
  return genders.find((gender) => PRONOUNS[gender].includes(lower)) ?? null;
}

/** A sentence with each male or female pronoun as "_": alike for sentences that differ in nothing else. */
export function withoutPronouns(sentence: string): string {
  return sentence.replace(GENDERED, '_');
}
