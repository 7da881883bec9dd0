/** Answers of the shared runs as they are read again. */
import { readAnswer } from '../../../src/suites/rules/index.ts';

export {
  DEFAULT_INTERVALS,
  type PairMetadata,
  type PairOutcome,
  pairOrder,
  performanceMetrics,
  runIntervals,
  tallyPairs,
  tidyRows,
} from '../../../src/suites/rules/index.ts';

/** Letters of every option that there could be: the vectors do not tell those of a thread. */
const ANY = Array.from({ length: 26 }, (_, at) => ({ label: `(${String.fromCharCode(97 + at)})`, rule: '' }));

export function pluruleScore(side: {
  clean_answer_response: string;
  extracted_prediction: string;
  correct_answer: string;
  score: number;
}): { score: 0 | 1; unparsed: boolean } {
  const read = readAnswer(
    side.clean_answer_response,
    { options: ANY, correct: side.correct_answer },
    'plurule',
  );
  if (read.extracted !== side.extracted_prediction || read.score !== side.score) {
    throw new Error(`${side.clean_answer_response}: read as ${read.extracted}`);
  }
  return { score: read.score, unparsed: read.unparsed !== null };
}
