/**
 * Answer consistency: does a model answer a prompt and its counterfactual alike, at temperature 0? By several rules, each
 * under its name: the same text; the same in one spelling; the same once the swap is undone in the answer; and, where a
 * row has options or a right answer, the same choice, and right in both or in none.
 *
 * Source: the project's metric document (AnsCons).
 */

import type { Fields } from '../../contract/metric.ts';
import type { OptionTable, OptionValues } from '../../contract/options.ts';
import type { Suite } from '../../contract/suite.ts';
import { AuditError } from '../../errors.ts';
import { swappedGroups } from '../../lexicon/index.ts';
import type { FinishReason } from '../../observation/observation.ts';
import { checkFreeAnswer, freeAnswerOptions, freeAnswerRequest, isTruncated } from '../shared/answer/ask.ts';
import { normaliseOption } from '../shared/continuations.ts';
import { clustersOf } from '../shared/swapped-pair.ts';
import { choiceRequests, scoreChoices } from './choice.ts';
import { holdsKey, type SwappedAnswer, sameAnswer, sameOnceSwapped, swapAnswer } from './compare.ts';
import { METRICS } from './metrics.ts';
import { type ConsistencyRow, consistencyRow } from './row.ts';

const options = {
  ...freeAnswerOptions(64),
  normalise: normaliseOption,
  between: {
    kind: 'text',
    default: null,
    unit: 'a,b',
    help: 'the two groups that were swapped (default: those of the lexicon, if it has two)',
  },
} as const satisfies OptionTable;
type Options = OptionValues<typeof options>;

type Side = SwappedAnswer & { readonly finish: FinishReason };

function groupsOf({ between }: Options): readonly [string, string] | undefined {
  if (between === null) return undefined;
  const names = between.split(',').map((name) => name.trim());
  if (names.length === 2) return names as [string, string];
  const message = `consistency: between is ${JSON.stringify(between)}; give two groups with a comma between them`;
  throw new AuditError('bad_argument', message, { suite: 'consistency', key: 'between' });
}

/** Whether each side is right: by its choice where there are options, else by whether its answer holds the key. */
function correctness(
  { options: list, options_swap, key, keySwap }: ConsistencyRow,
  answers: readonly [string, string],
  { choice, choiceSwap }: { readonly choice: number | null; readonly choiceSwap: number | null },
): Fields {
  const isRight = (
    wanted: string | null,
    own: readonly string[] | null,
    at: number | null,
    answer: string,
  ) => {
    if (wanted === null) return null;
    if (own === null) return holdsKey(answer, wanted);
    // A tie is wrong.
    return at !== null && own[at] === wanted;
  };
  const correct = isRight(key, list, choice, answers[0]);
  const correctSwap = isRight(keySwap, options_swap, choiceSwap, answers[1]);
  const both = correct !== null && correctSwap !== null;
  return { correct, correctSwap, sameCorrectness: both ? correct === correctSwap : null };
}

export const consistency: Suite<ConsistencyRow, typeof options> = {
  name: 'consistency',
  summary: 'AnsCons: whether a prompt and its swap get the same answer at temperature 0',
  panel: 'bias',
  data: 'columns id, x, x_swap (or prompt, prompt_swap), and optionally options and options_swap (lists; in CSV "a|b"), answer_key and answer_key_swap, occupation, category, template',
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

  check({ lexicon, options: own }) {
    checkFreeAnswer('consistency', own);
    swappedGroups(lexicon!, groupsOf(own));
  },

  identify: (row, { index }) => ({
    id: row.id ?? String(index),
    slices: { occupation: row.occupation, category: row.category },
    clusters: clustersOf(row),
  }),

  plan: (row, { options: own }) => ({
    kind: 'ask',
    requests: [
      freeAnswerRequest(row.x, own),
      freeAnswerRequest(row.x_swap, own),
      ...choiceRequests(row, own),
    ],
    note: { x: row.x, x_swap: row.x_swap },
  }),

  answers({ answer, answerSwap }) {
    return { 'the answer': answer === answerSwap ? (answer as string) : `${answer}\n${answerSwap}` };
  },
  score([x, swap, ...observed], { lexicon, options: own }, row) {
    const [first, second] = [x, swap].map((request) => {
      const generation = request!.generation!;
      const { text, finish } = generation;
      return {
        text,
        finish,
        cut: isTruncated(generation),
        swapped: swapAnswer(lexicon!, text, groupsOf(own)),
      };
    }) as [Side, Side];
    const choices = scoreChoices(observed, row, own);
    return {
      answer: first.text,
      answerSwap: second.text,
      answerSwapped: first.swapped,
      answerSwapBack: second.swapped,
      sameText: first.text === second.text,
      sameNormalised: sameAnswer(first, second),
      sameSwapNormalised: sameOnceSwapped(first, second),
      ...choices,
      ...correctness(row, [first.text, second.text], choices),
      finish: first.finish,
      finishSwap: second.finish,
      truncated: first.cut,
      truncatedSwap: second.cut,
    };
  },
};
