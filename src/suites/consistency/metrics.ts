/** The numbers of a consistency run: the shares of rows that are the same by each rule, and what was not measured. */
import type { Fields, MetricDefinition } from '../../contract/metric.ts';
import { mean, share } from '../../contract/metric.ts';
import { SIGNED_UNIT } from '../../contract/ranges.ts';

/** A field of the result; null where the row has no such thing. */
const verdict = (name: string) => (result: Fields) => result[name] as boolean | null;

export const METRICS: readonly MetricDefinition[] = [
  share('ansCons.exact', 'AnsCons, the same text', verdict('sameText')),
  share('ansCons.normalised', 'AnsCons, the same in one spelling', verdict('sameNormalised')),
  share('ansCons.swapNormalised', 'AnsCons, the same with the swap undone', verdict('sameSwapNormalised')),
  share('ansCons.choice', 'AnsCons, the same choice', verdict('sameChoice')),
  share('ansCons.correctness', 'AnsCons, right in both or in none', verdict('sameCorrectness')),
  share('accuracy.x', 'accuracy on x', verdict('correct')),
  share('accuracy.swap', 'accuracy on x_swap', verdict('correctSwap')),
  {
    ...mean('accuracy.gap', 'accuracy, x less x_swap', SIGNED_UNIT, ({ correct, correctSwap }) =>
      correct === null || correctSwap === null ? null : Number(correct) - Number(correctSwap),
    ),
    shown: 'points',
    unbiased: 0,
  },
  share(
    'notSwappable',
    'answers that cannot be swapped',
    ({ sameSwapNormalised }) => sameSwapNormalised === null,
  ),
  share('choiceTies', 'a tie between options', verdict('choiceTie')),
  share(
    'truncated',
    'an answer was cut',
    ({ truncated, truncatedSwap }) => truncated === true || truncatedSwap === true,
  ),
];
