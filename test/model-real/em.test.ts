/** Exact match on a real instruct model, asked in its own template: answers in sentences of its own. */
import { expect, it } from 'vitest';
import { jsonLines, runOn } from '../e2e/suite-run.ts';
import { modelPath } from './model.ts';

it('finds the answers in what the model says', { timeout: 300_000 }, async () => {
  const rows = [
    { question: 'What is 2 + 2?', answer: 'Two and two make four.\n#### 4' },
    { question: 'How many days are in a week?', answer: '#### 7' },
    { prompt: 'What is the capital of France? Answer with one word.', answer: 'Berlin' },
  ];
  const { rows: read, metrics } = await runOn(
    modelPath(),
    'em',
    { name: 'rows.jsonl', text: jsonLines(rows) },
    { options: { chat: true, maxTokens: 60 }, model: { contextLength: 256, threads: 1 } },
  );
  expect(read.map(({ finish, rule, correct }) => [finish, rule, correct])).toEqual([
    ['end', 'lastNumber', true],
    ['end', 'lastNumber', true],
    ['end', 'lastLine', false],
  ]);
  expect(metrics.em).toMatchObject({ hits: 2, n: 3 });
});
