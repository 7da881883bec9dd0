/** Plain English of some thirty tokens a piece, no two of which begin alike: what is observed after every token. */
import type { ProbeRequest } from '../../src/observation/observation.ts';

const TEXTS = [
  'The nurse told the young doctor that she had already checked the charts twice, and that nothing in them explained why the patient could not sleep at night.',
  'After the storm, the carpenter walked along the harbour with his brother and counted the boats that would need new planks before the end of the summer.',
  'Our teacher used to say that a good question is worth more than ten answers, although in her exams she never gave a single point for questions.',
  'Between the two villages lies a forest in which, if the old people are to be believed, nobody has ever found a way that led where it seemed to lead.',
  'Most engineers I know would rather repair a machine for a week than spend one afternoon writing down how it was meant to work in the first place.',
  'When the orchestra came back from its tour, the conductor thanked the drivers first, because without them, he said, there would have been no music at all.',
  'Nothing about the small shop on the corner had changed in thirty years except the prices, and even those the owner wrote in pencil so that she could regret them.',
  'It was the librarian who noticed that three readers, who had never met each other, had asked for the same forgotten book on the same rainy Tuesday.',
];

export const EVERY_STEP: readonly ProbeRequest<string>[] = TEXTS.map((text) => ({
  kind: 'probe',
  text,
  positions: 'all',
}));
