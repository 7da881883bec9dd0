/** The shared data as this project reads them. */
import { pairSchema, pairsOf, type RulesPair } from '../../../src/suites/rules/index.ts';
import { vector } from './vectors.ts';

export function sharedPairs(file: 'dataset.json' | 'train.json'): RulesPair[] {
  const { subreddits } = vector<{ subreddits: unknown[] }>(file);
  return subreddits.flatMap(pairsOf).map((raw) => pairSchema.parse(raw));
}
