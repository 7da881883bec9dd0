/** Texts that every family is asked about: sentences, odd characters, and the texts of special tokens among them. */
import fc from 'fast-check';
import { CONTROLS } from './vocabularies.ts';

const WORDS = [
  'The',
  'nurse',
  ' nurse',
  ' said',
  ' that',
  ' she',
  'she',
  's',
  ' he',
  ' was',
  ' late',
  '.',
  ',',
];
const ODD = [' ', '  ', '\n', '\t', 'ï', '日本', '🙂', '12345', "'s", '<', '|>', '\u2581', '<0x41>'];

/** The same texts on every run. */
export const TEXTS: readonly string[] = [
  '',
  'The nurse said that she was late.',
  ...CONTROLS,
  `${CONTROLS[0]}The nurse${CONTROLS[1]}${CONTROLS[0]} said`,
  `x ${CONTROLS[2]}user\nhe${CONTROLS[3]}`,
  ...fc.sample(
    fc
      .array(fc.constantFrom(...WORDS, ...WORDS, ...ODD, ...CONTROLS), { maxLength: 12 })
      .map((parts) => parts.join('')),
    { seed: 1, numRuns: 200 },
  ),
];
