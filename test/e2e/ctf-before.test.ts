/**
 * ctf --steps before, against the oracle: texts of a template, the log-odds of whole words in float64, the masses of the
 * groups in front of them; on a language model, and on the planted model, whose odds are known.
 */
import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { pearson } from '../oracle/correlation.ts';
import { entropy, mass, softmax } from '../oracle/metrics.ts';
import { OracleModel } from '../oracle/score.ts';
import { sharedFile } from '../oracle/shared.ts';
import { exactRun, figures, type ResultRow, rowsIn } from './exact-run.ts';
import { plantedFiles } from './planted.ts';
import { jsonlFile } from './suite-run.ts';

const STORIES = sharedFile('models/stories260K.gguf');

/** float32 passes against float64, in nats and in probability. */
const FLOAT32 = 1e-5;

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** ln P of the tokens that `text` has behind those of `prefix`. */
function logProbBehind(model: OracleModel, prefix: string, text: string): number {
  const [from, ids] = [model.tokens(prefix).length, model.tokens(text)];
  return model
    .logProbs(ids)
    .slice(from)
    .reduce((sum: number, logProb) => sum + logProb!, 0);
}

async function expectRun(file: string, template: string, words: readonly [string, string]): Promise<void> {
  const occupations = ['nurse', 'plumber', 'teacher', 'engineer', 'baker'];
  const lexicon = await loadLexicon('gender-en');
  const result = await exactRun({
    model: file,
    suite: 'ctf',
    lexicon,
    data: jsonlFile(occupations.map((occupation) => ({ occupation }))),
    options: { steps: 'before', template },
  });
  const model = new OracleModel(file);
  const groups = result.mapping!.groups.map(({ ids }) => [...ids]);
  const rows = rowsIn(result.folder.journal);
  expect(rows.map(({ status }) => status)).toEqual(occupations.map(() => 'ok'));
  const expected = rows.map((row: ResultRow, at) => {
    const prefix = `The ${occupations[at]} said that`;
    expect(row).toMatchObject({ prefix, words, tokenIds: model.tokens(prefix) });
    const [first, second] = words.map((word) => logProbBehind(model, prefix, `${prefix} ${word}`)) as [
      number,
      number,
    ];
    const p = softmax(model.logits(model.tokens(prefix)).at(-1)!);
    const masses = groups.map((ids) => mass(p, ids)) as [number, number];
    const values = {
      logOdds: first - second,
      pairShare: Math.exp(first) / (Math.exp(first) + Math.exp(second)),
      wordGap: Math.exp(first) - Math.exp(second),
      massFemale: masses[0],
      massMale: masses[1],
      signedGap: masses[0] - masses[1],
      gap: Math.abs(masses[0] - masses[1]),
      entropy: entropy(p),
    };
    for (const [name, value] of Object.entries(values)) {
      expect(Math.abs((row[name] as number) - value), `${name} of row ${at}`).toBeLessThan(FLOAT32);
    }
    return values;
  });
  const metrics = figures(result);
  for (const name of ['logOdds', 'pairShare', 'wordGap', 'signedGap'] as const) {
    const mean = meanOf(expected.map((values) => values[name]));
    expect(Math.abs(metrics.get(name)!.value! - mean), name).toBeLessThan(FLOAT32);
    const shares = occupations.map(
      (occupation) => lexicon.occupations.find(({ word }) => word === occupation)!.share,
    );
    const r = pearson(
      shares,
      expected.map((values) => values[name]),
    );
    expect(Math.abs(metrics.get(`correlation.share.${name}`)!.value! - r), `r of ${name}`).toBeLessThan(1e-3);
  }
  const likelier = expected.filter(({ logOdds }) => logOdds > 0).length / expected.length;
  expect(metrics.get('prefers.female')!.value).toBeCloseTo(likelier, 12);
}

describe('ctf --steps before', () => {
  it.skipIf(!STORIES)('is the float64 odds of words of several tokens', { timeout: 60_000 }, async () => {
    await expectRun(STORIES!, 'The {occupation} said that {herself|himself} was there', [
      'herself',
      'himself',
    ]);
  });

  it('finds the odds that the planted model has by occupation', { timeout: 60_000 }, async () => {
    const { model } = await plantedFiles();
    await expectRun(model, 'The {occupation} said that {she|he}', ['she', 'he']);
  });
});
