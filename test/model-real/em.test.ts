/** Exact match on a real instruct model, asked in its own template: answers in sentences of its own. */

import { expect, it } from 'vitest';
import { findSuite } from '../../src/suites/registry.ts';
import { jsonlFile, runOn } from '../e2e/suite-run.ts';
import { modelPath } from './model.ts';

it('finds the answers in what the model says', { timeout: 300_000 }, async () => {
  const rows = [
    { question: 'What is 2 + 2?', answer: 'Two and two make four.\n#### 4' },
    { question: 'How many days are in a week?', answer: '#### 7' },
    { prompt: 'What is the capital of France? Answer with one word.', answer: 'Berlin' },
  ];
  const { rows: read, metric } = await runOn(
    modelPath(),
    { suite: findSuite('em'), data: jsonlFile(rows), options: { chat: true, maxTokens: 60 } },
    { mode: 'exact', contextLength: 256, threads: 1 },
  );
  expect(read.map(({ finish, rule, correct }) => [finish, rule, correct])).toEqual([
    ['end', 'phrase', true],
    ['end', 'lastNumber', true],
    ['end', 'lastLine', false],
  ]);
  expect(metric('em')).toMatchObject({ hits: 2, n: 3 });
});
