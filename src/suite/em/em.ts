/**
 * Exact match of a final answer: the model answers freely at temperature 0, the answer is found in its text
 * (answer.ts), and it and the gold answer are brought to one spelling (normalise.ts) before they are compared.
 *
 * Sources: the answer formats of GSM8K (Cobbe et al. 2021, "####") and MATH (Hendrycks et al. 2021, \boxed); the rules
 * are this project's own.
 */
import { AuditError } from '../../errors.ts';
import type { GenerateRequest } from '../../observation.ts';
import { share } from '../make-metric.ts';
import type { MetricDefinition } from '../metric.ts';
import type { OptionTable, OptionValues } from '../options.ts';
import type { Suite, SuiteContext } from '../suite.ts';
import { finalAnswer } from './answer.ts';
import { normaliseAnswer } from './normalise.ts';
import { numberOf } from './number.ts';
import { type EmRow, schema } from './row.ts';

const PLACE = '{prompt}';

const options = {
  maxTokens: {
    kind: 'whole',
    least: 1,
    default: 512,
    unit: 'n',
    help: 'most tokens of an answer; one that is cut there is counted as truncated',
  },
  stop: { kind: 'text', default: null, unit: 'text', help: 'an answer ends in front of this text' },
  template: {
    kind: 'text',
    default: PLACE,
    unit: 'text',
    help: `what the model is given, with ${PLACE} for the row's own prompt`,
  },
  chat: {
    kind: 'switch',
    default: false,
    help: "ask as a user's message in the model's own chat template",
  },
} as const satisfies OptionTable;
type EmOptions = OptionValues<typeof options>;

function promptOf({ prompt }: EmRow, { template, chat }: EmOptions): GenerateRequest['prompt'] {
  const content = template.replaceAll(PLACE, () => prompt);
  return chat ? { messages: [{ role: 'user', content }] } : content;
}

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

  check({ options: { template, stop } }: SuiteContext<EmOptions>) {
    if (!template.includes(PLACE)) {
      const message = `em: the template has no ${PLACE}; put it where the row's prompt is to stand`;
      throw new AuditError('bad_argument', message, { suite: 'em', key: 'template' });
    }
    if (stop === '') {
      const message = 'em: stop is empty; give the text that ends an answer, or leave it out';
      throw new AuditError('bad_argument', message, { suite: 'em', key: 'stop' });
    }
  },

  identify: ({ id, category, lang, level }, { index }) => ({
    id: id ?? String(index),
    slices: { category, lang, level },
  }),

  plan(row, { options: own }) {
    const { maxTokens, stop } = own;
    const request: GenerateRequest = {
      kind: 'generate',
      prompt: promptOf(row, own),
      temperature: 0,
      maxTokens,
      ...(stop === null ? {} : { stop: [stop] }),
    };
    return { kind: 'ask', requests: [request], note: {} };
  },

  score([request], _context, row) {
    const { text, finish, tokenIds } = request!.generation!;
    const gold = normaliseAnswer(row.gold);
    const found = finalAnswer(text, { expectsNumber: numberOf(gold) !== null });
    return {
      response: text,
      finish,
      truncated: finish === 'length' || finish === 'context',
      tokens: tokenIds.length,
      extracted: found?.extracted ?? null,
      rule: found?.rule ?? null,
      answer: found?.answer ?? null,
      gold,
      correct: found?.answer === gold,
    };
  },
};
