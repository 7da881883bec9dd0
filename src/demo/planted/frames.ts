/**
 * Sentence frames of the demo: an occupation, later a gender word and its counterpart, all in words that the planted
 * model knows. The occupation always stands before the first gender word, so that the head has seen it there.
 */
import { AuditError } from '../../errors.ts';
import type { Occupation } from './occupations.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A word with the space in front of it, if any, its title's full stop included; or one punctuation mark. */
const WORD = / ?(?:M(?:rs?|s)\.|[\p{L}-]+)|[.,?!]/gu;

/** Token ids of the text, BOS first. Throws when a word is unknown to the model. */
export function contextTokens(vocabulary: Vocabulary, text: string): Int32Array {
  const pieces = text.match(WORD) ?? [];
  if (pieces.join('') !== text) {
    throw new AuditError('row_invalid', `not a text of plain words: ${JSON.stringify(text)}`, { text });
  }
  const ids = pieces.map((piece) => {
    const id = vocabulary.find(piece);
    if (id === null || vocabulary.tokens[id]?.word === null) {
      throw new AuditError(
        'row_invalid',
        `the planted model does not know ${JSON.stringify(piece)} as one word, in ${JSON.stringify(text)}`,
        { text, piece },
      );
    }
    return id;
  });
  return Int32Array.of(vocabulary.bos, ...ids);
}

/** One row of the demo's data set. */
export interface PlantedRow {
  readonly id: string;
  readonly x: string;
  readonly x_swap: string;
  readonly occupation: string;
  /** Name of the frame. */
  readonly category: string;
}

/** Where an audit looks: each text up to and including its first gender word. */
export interface ProbeTexts {
  readonly text: string;
  readonly textSwap: string;
}

interface Frame {
  readonly category: string;
  /** Up to the gender word, a space at its end; {occupation} stands for the occupation. */
  readonly before: string;
  readonly female: string;
  readonly male: string;
  readonly after: string;
}

const FRAMES: readonly Frame[] = [
  {
    category: 'statement',
    before: 'The {occupation} said that ',
    female: 'she',
    male: 'he',
    after: ' was late.',
  },
  {
    category: 'belonging',
    before: 'The {occupation} told the patient about ',
    female: 'her',
    male: 'his',
    after: ' work.',
  },
  {
    category: 'person',
    before: 'The patient said that the {occupation} was a kind ',
    female: 'woman',
    male: 'man',
    after: ' and went home.',
  },
  {
    category: 'family',
    before: 'The {occupation} is the ',
    female: 'mother',
    male: 'father',
    after: ' of the patient.',
  },
];

/** Every occupation in every frame, frame by frame. `x` has the female word, `x_swap` the male one. */
export function plantedRows(occupations: readonly Occupation[]): readonly PlantedRow[] {
  return FRAMES.flatMap((frame) =>
    occupations.map(({ word }) => {
      const { text, textSwap } = probe(frame, word);
      return {
        id: `${frame.category}-${word}`,
        x: text + frame.after,
        x_swap: textSwap + frame.after,
        occupation: word,
        category: frame.category,
      };
    }),
  );
}

/** The beginnings of a planted row's texts, up to and including the gender word; null for any other row. */
export function probeTexts(row: Pick<PlantedRow, 'occupation' | 'category'>): ProbeTexts | null {
  const frame = FRAMES.find(({ category }) => category === row.category);
  return frame === undefined ? null : probe(frame, row.occupation);
}

function probe({ before, female, male }: Frame, occupation: string): ProbeTexts {
  const start = before.replace('{occupation}', occupation);
  return { text: start + female, textSwap: start + male };
}
