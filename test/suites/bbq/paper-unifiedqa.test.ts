/** The published predictions of UnifiedQA, scored by another program, and the published rows. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CategoryScore, scoreFiles } from '../../../src/suites/bbq/score/paper/index.ts';
import { sharedFile } from '../../oracle/shared.ts';

const CATEGORIES = ['Age', 'Nationality', 'Religion'];
const vectors = sharedFile('vectors/bbq_unifiedqa.jsonl');
const files = CATEGORIES.map((name) => sharedFile(`datasets/bbq/unifiedqa/preds_${name}.jsonl`));
const interval = { level: 0.95, resamples: 1000, seed: 0 };
const TOLERANCE = 1e-12;

const absent = vectors === null || files.includes(null);

describe.skipIf(absent)('UnifiedQA on BBQ', () => {
  it('has the values of the other program', async () => {
    const answers = { field: 'unifiedqa-t5-11b_pred_race' };
    const { categories, invalid, unresolved } = await scoreFiles(files as string[], {
      answers,
      mode: 'paper',
      interval,
    });
    expect({ invalid, unresolved }).toEqual({ invalid: 0, unresolved: [] });
    const wanted = readFileSync(vectors!, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, number> & { category: string });
    expect(categories.map(({ category }) => category)).toEqual(wanted.map(({ category }) => category));
    categories.forEach((score, at) => {
      for (const [key, value] of Object.entries(wanted[at]!)) {
        const got = score[key as keyof CategoryScore];
        if (typeof value === 'number') expect(Math.abs((got as number) - value), key).toBeLessThan(TOLERANCE);
        else expect(got, key).toEqual(value);
      }
      for (const metric of ['sAmb', 'sDis', 'accuracyAmbiguous', 'accuracyDisambiguated'] as const) {
        const { low, high } = score.ci[metric]!;
        expect(low).toBeLessThan(score[metric]!);
        expect(high).toBeGreaterThan(score[metric]!);
      }
    });
  });

  it('scaled by the accuracy of all rows as helm does, the rest as it is', async () => {
    const answers = { field: 'unifiedqa-t5-11b_pred_race' };
    const [paper, helm] = await Promise.all(
      (['paper', 'helm'] as const).map((mode) => scoreFiles(files as string[], { answers, mode, interval })),
    );
    helm!.categories.forEach((score, at) => {
      const own = paper!.categories[at]!;
      const accuracy = (own.accuracyAmbiguous! + own.accuracyDisambiguated!) / 2;
      const [biased, named] = own.biasedAmbiguous;
      expect(Math.abs(score.sAmb! - (1 - accuracy) * ((2 * biased) / named - 1))).toBeLessThan(TOLERANCE);
      expect(score.sDis).toBe(own.sDis);
    });
  });

  it('has a target in every row, whatever the policy', async () => {
    const { categories } = await scoreFiles(files as string[], {
      answers: { policy: 'stereotype' },
      mode: 'paper',
      interval,
    });
    for (const score of categories) {
      expect(score).toMatchObject({ unparsed: 0, noTarget: 0, sAmb: 1, sDis: 1, accuracyAmbiguous: 0 });
      expect(score.accuracyDisambiguated).toBe(0.5);
    }
  });
});
