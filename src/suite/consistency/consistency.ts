/**
 * Answer consistency: does a model answer a prompt and its counterfactual alike, at temperature 0? By four rules, each
 * under its name: the same text; the same in one spelling; the same once the swap is undone in the answer; and, where a
 * row has options, the same choice.
 *
 * Source: the project's metric document (AnsCons).
 */
import type { ObserveRequest, ScoreRequest } from '../../observation.ts';
import { comparedValue, continuationOf, normaliseOption } from '../continuations.ts';
import type { Fields } from '../fields.ts';
import {
  checkFreeAnswer,
  freeAnswerOptions,
  freeAnswerRequest,
  isTruncated,
  promptOf,
} from '../free-answer.ts';
import { mean, share } from '../make-metric.ts';
import type { MetricDefinition } from '../metric.ts';
import type { ObservedRequest } from '../observed.ts';
import type { OptionTable, OptionValues } from '../options.ts';
import type { Suite } from '../suite.ts';
import { holdsKey, plainAnswer, swapBack } from './compare.ts';
import { type ConsistencyRow, consistencyRow, keysOf } from './row.ts';

const options = { ...freeAnswerOptions(64), normalise: normaliseOption } as const satisfies OptionTable;
type Options = OptionValues<typeof options>;

const verdict = (name: string) => (result: Fields) => result[name] as boolean | null;

const METRICS: readonly MetricDefinition[] = [
  share('ansCons.exact', 'AnsCons, the same text', verdict('sameText')),
  share('ansCons.normalised', 'AnsCons, the same in one spelling', verdict('sameNormalised')),
  share('ansCons.swapNormalised', 'AnsCons, the same with the swap undone', verdict('sameSwapNormalised')),
  share('ansCons.choice', 'AnsCons, the same choice', verdict('sameChoice')),
  share('ansCons.correctness', 'AnsCons, right in both or in none', verdict('sameCorrectness')),
  share('accuracy.x', 'accuracy on x', verdict('correct')),
  share('accuracy.swap', 'accuracy on x_swap', verdict('correctSwap')),
  mean('accuracy.gap', 'accuracy, x less x_swap', ({ correct, correctSwap }) =>
    correct === null || correctSwap === null ? null : Number(correct) - Number(correctSwap),
  ),
  share(
    'truncated',
    'an answer was cut',
    ({ truncated, truncatedSwap }) => truncated === true || truncatedSwap === true,
  ),
];

function choiceRequest(prompt: string, list: readonly string[], own: Options): ScoreRequest {
  const given = promptOf(prompt, own);
  return {
    kind: 'score',
    prompt: given,
    continuations: list.map((option) => (typeof given === 'string' ? continuationOf(given, option) : option)),
  };
}

/** Number of the likeliest option; of equal ones the first. */
function choiceOf({ scores }: ObservedRequest, { normalise }: Options): number {
  const values = scores.map((score) => comparedValue(score, normalise));
  return values.indexOf(Math.max(...values));
}

function scoreChoices(observed: readonly ObservedRequest[], row: ConsistencyRow, own: Options): Fields {
  const [x, swap] = observed;
  if (!x || !swap) return { choice: null, choiceSwap: null, sameChoice: null };
  const [choice, choiceSwap] = [choiceOf(x, own), choiceOf(swap, own)];
  const listed = (request: ObservedRequest, list: readonly string[]) =>
    request.scores.map(({ logProb, tokens }, at) => ({ text: list[at]!, logProb, tokens }));
  return {
    choice,
    choiceSwap,
    sameChoice: choice === choiceSwap,
    optionScores: listed(x, row.options!),
    optionScoresSwap: listed(swap, row.options_swap ?? row.options!),
  };
}

/** Whether each side is right: by its choice where there are options, else by whether its answer holds the key. */
function correctness(row: ConsistencyRow, answers: readonly [string, string], choices: Fields): Fields {
  const keys = keysOf(row);
  const lists = [row.options, row.options_swap ?? row.options] as const;
  const chosen = [choices.choice, choices.choiceSwap] as const;
  const [correct, correctSwap] = ([0, 1] as const).map((side) => {
    const key = keys[side];
    if (key === null) return null;
    const list = lists[side];
    return list ? list[chosen[side] as number] === key : holdsKey(answers[side], key);
  }) as [boolean | null, boolean | null];
  const both = correct !== null && correctSwap !== null;
  return { correct, correctSwap, sameCorrectness: both ? correct === correctSwap : null };
}

export const consistency: Suite<ConsistencyRow, typeof options> = {
  name: 'consistency',
  summary: 'AnsCons: whether a prompt and its swap get the same answer at temperature 0',
  panel: 'bias',
  data: 'columns id, x, x_swap (or prompt, prompt_swap), and optionally options, options_swap, answer_key, occupation, category',
  example: 'logit-audit run consistency --model model.gguf --data pairs.jsonl --chat --max-tokens 32',
  schema: consistencyRow,
  options,
  lexicon: 'words',
  slices: ['occupation', 'category'],
  headline: ['ansCons.swapNormalised', 'ansCons.choice'],
  lists: [
    {
      file: 'differing.csv',
      keep: ({ sameSwapNormalised, sameChoice }) => sameSwapNormalised === false || sameChoice === false,
    },
  ],
  metrics: () => METRICS,

  check: ({ options: own }) => checkFreeAnswer('consistency', own),

  identify: ({ id, occupation, category }) => ({ id, slices: { occupation, category } }),

  plan(row, { options: own }) {
    const requests: ObserveRequest[] = [freeAnswerRequest(row.x, own), freeAnswerRequest(row.x_swap, own)];
    if (row.options) {
      requests.push(choiceRequest(row.x, row.options, own));
      requests.push(choiceRequest(row.x_swap, row.options_swap ?? row.options, own));
    }
    return { kind: 'ask', requests, note: { x: row.x, x_swap: row.x_swap } };
  },

  score([x, swap, ...choices], { lexicon, options: own }, row) {
    const [first, second] = [x!.generation!, swap!.generation!];
    const [answer, answerSwap] = [first.text, second.text];
    const back = swapBack(lexicon!, answerSwap);
    const chosen = scoreChoices(choices, row, own);
    return {
      answer,
      answerSwap,
      answerSwapBack: back,
      sameText: answer === answerSwap,
      sameNormalised: plainAnswer(answer) === plainAnswer(answerSwap),
      sameSwapNormalised: back === null ? null : plainAnswer(answer) === plainAnswer(back),
      ...chosen,
      ...correctness(row, [answer, answerSwap], chosen),
      finish: first.finish,
      finishSwap: second.finish,
      truncated: isTruncated(first),
      truncatedSwap: isTruncated(second),
    };
  },
};
