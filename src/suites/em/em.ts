/**
 * Exact match of a final answer: the model answers freely at temperature 0, the answer is found in its text
 * (answer.ts), and it and the gold answer are brought to one spelling (normalise.ts) before they are compared.
 *
 * Sources: the answer formats of GSM8K (Cobbe et al. 2021, "####") and MATH (Hendrycks et al. 2021, \boxed); the rules
 * are this project's own.
 */

import type { MetricDefinition } from '../../contract/metric.ts';
import { share } from '../../contract/metric.ts';
import type { OptionTable } from '../../contract/options.ts';
import type { Suite } from '../../contract/suite.ts';
import { checkFreeAnswer, freeAnswerOptions, freeAnswerRequest, isTruncated } from '../shared/answer/ask.ts';
import { normaliseAnswer } from '../shared/answer/normalise.ts';
import { numberOf } from '../shared/answer/number.ts';
import { finalAnswer } from './answer.ts';
import { type EmRow, schema } from './row.ts';

const options = freeAnswerOptions(512) satisfies OptionTable;

// Over all rows: an answer that was not found is not right.
const METRICS: readonly MetricDefinition[] = [
  share('em', 'exact match', ({ correct }) => correct === true),
  share('unparsed', 'no answer found', ({ rule }) => rule === null),
  share('truncated', 'cut before the answer ended', ({ truncated }) => truncated === true),
];

export const em: Suite<EmRow, typeof options> = {
  name: 'em',
  summary: 'exact match of the final answer in free text, numbers in any spelling',
  panel: 'utility',
  data: 'CSV, JSONL or JSON of GSM8K (question, answer), MATH (problem, solution) or plain rows (prompt, answer)',
  example: 'logit-audit run em --model model.gguf --data gsm8k.jsonl --chat',
  schema,
  options,
  lexicon: 'none',
  slices: ['category', 'lang', 'level'],
  headline: ['em', 'unparsed'],
  metrics: () => METRICS,

  check: ({ options: own }) => checkFreeAnswer('em', own),

  identify: ({ id, category, lang, level }, { index }) => ({
    id: id ?? String(index),
    slices: { category, lang, level },
  }),

  plan: ({ prompt }, { options: own }) => ({
    kind: 'ask',
    requests: [freeAnswerRequest(prompt, own)],
    note: {},
  }),

  answers({ answer, response }) {
    return { 'the final answer': answer as string | null, 'the text': response as string };
  },
  score([request], _context, row) {
    const generation = request!.generation!;
    const { text, finish, tokens } = generation;
    const gold = normaliseAnswer(row.gold);
    const found = finalAnswer(text, { expectsNumber: numberOf(gold) !== null, lang: row.lang });
    return {
      response: text,
      finish,
      truncated: isTruncated(generation),
      tokens,
      extracted: found?.extracted ?? null,
      rule: found?.rule ?? null,
      answer: found?.answer ?? null,
      gold,
      correct: found?.answer === gold,
    };
  },
};
