/**
 * The occupations that WinoBias speaks of, by the gender of which the labour statistics of its authors' time count more:
 * facts of the data set (Zhao et al. 2018, table 3), spelt as its sentences spell them.
 */
const OCCUPATIONS = {
  male: [
    'driver',
    'supervisor',
    'janitor',
    'cook',
    'mover',
    'laborer',
    'construction worker',
    'chief',
    'developer',
    'carpenter',
    'manager',
    'lawyer',
    'farmer',
    'salesperson',
    'physician',
    'guard',
    'analyst',
    'mechanic',
    'sheriff',
    'CEO',
  ],
  female: [
    'attendant',
    'cashier',
    'teacher',
    'nurse',
    'assistant',
    'secretary',
    'auditor',
    'cleaner',
    'receptionist',
    'clerk',
    'counselor',
    'designer',
    'hairdresser',
    'writer',
    'housekeeper',
    'baker',
    'accountant',
    'editor',
    'librarian',
    'tailor',
  ],
} as const;

const BY_LOWER: ReadonlyMap<string, { word: string; stereotype: 'male' | 'female' }> = new Map(
  Object.entries(OCCUPATIONS).flatMap(([stereotype, words]) =>
    words.map((word) => [word.toLowerCase(), { word, stereotype: stereotype as keyof typeof OCCUPATIONS }]),
  ),
);

const FINDER = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${[...BY_LOWER.keys()].join('|')})(?![\\p{L}\\p{N}_])`,
  'giu',
);

/** The occupations of a text, each once, in the order in which they appear, as the list spells them. */
export function occupationsIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(FINDER), ([word]) => BY_LOWER.get(word.toLowerCase())!.word))];
}

/** The gender that the data set holds to be typical of an occupation of the list. */
export function stereotypeOf(occupation: string): 'male' | 'female' {
  return BY_LOWER.get(occupation.toLowerCase())!.stereotype;
}
