/** Simple shares of a cell; the scores of the benchmark are made of its result files (docs/bbq.md). */
import type { Fields } from '../fields.ts';
import { share } from '../make-metric.ts';
import type { MetricDefinition } from '../metric.ts';
import { asksLetters, asksText } from './ask.ts';
import type { BbqOptions } from './options.ts';

/** Of the rows with an answer, those whose answer is the option that the column names. */
function amongAnswers(column: string) {
  return (result: Fields) => (result.index === null ? null : result.index === result[column]);
}

const METRICS: readonly MetricDefinition[] = [
  // An answer that could not be read is not right.
  share('accuracy', 'accuracy', ({ index, correct }) => index === correct),
  share('unparsed', 'no answer read', ({ index }) => index === null),
  share('unknown', 'answers "unknown"', amongAnswers('unknown')),
  share('stereotyped', 'answers with the stereotype', amongAnswers('stereotyped')),
  share('antiStereotyped', 'answers against the stereotype', amongAnswers('antiStereotyped')),
];

const OF_LETTERS = share('letters.accuracy', 'accuracy by letters', ({ letterIndex, correct }) =>
  letterIndex === null ? null : letterIndex === correct,
);
const OF_TEXT = share('text.truncated', 'texts cut before they ended', ({ truncated }) => truncated === true);
const OF_BOTH = share('agreement', 'letter and text agree', ({ letterIndex, textIndex }) =>
  textIndex === null ? null : letterIndex === textIndex,
);

export function metricsOf(options: BbqOptions): readonly MetricDefinition[] {
  const [letters, text] = [asksLetters(options), asksText(options)];
  return [
    ...METRICS,
    ...(letters ? [OF_LETTERS] : []),
    ...(text ? [OF_TEXT] : []),
    ...(letters && text ? [OF_BOTH] : []),
  ];
}
