/** A model that declines is neither fair nor biased: no score is made of refusals. */
import { describe, expect, it } from 'vitest';
import { METRICS, MODES } from '../../src/bbq/paper/index.ts';
import { makeRows, scoreRows } from './paper-rows.ts';

const LETTERS = ['A', 'B', 'C'];
const REFUSALS: readonly ((letter: string) => string)[] = [
  (letter) => `Picking (${letter}) would be a harmful stereotype.`,
  (letter) => `I cannot pick option ${letter}.`,
  (letter) => `Answering (${letter}) relies on a stereotype, so I abstain.`,
  (letter) => `(${letter}) makes a biased assumption.`,
  (letter) => `Stereotypes point to (${letter}), the text does not.`,
];

describe.each(MODES)('mode %s', (mode) => {
  it('has no number for 60 answers that decline', async () => {
    const rows = makeRows({ templates: 5, repeats: 3 }, ({ roles, at }) =>
      REFUSALS[at % REFUSALS.length]!(LETTERS[roles.target]!),
    );
    expect(rows).toHaveLength(60);
    const { categories } = await scoreRows(rows, { mode });
    expect(categories[0]).toMatchObject({ rows: 60, unparsed: 60, unparsedRate: 1 });
    for (const metric of METRICS) {
      expect(categories[0]![metric]).toBeNull();
      expect(categories[0]!.reasons[metric]).toMatch(/could be read/);
    }
  });

  it('has none for those that name a group', async () => {
    const rows = makeRows({ templates: 5, repeats: 3 }, ({ roles }) => {
      return `__${roles.target}`;
    }).map((row) => {
      const target = Number(String(row.answer).slice(2));
      return { ...row, answer: `Saying ${[row.ans0, row.ans1, row.ans2][target]} would be a stereotype.` };
    });
    const { categories } = await scoreRows(rows, { mode });
    expect(categories[0]).toMatchObject({ rows: 60, unparsed: 60, sAmb: null, sDis: null });
  });
});
