/**
 * ctf --steps before, against the oracle: texts of a template, the log-odds of whole words in float64, the masses of the
 * groups in front of them; on a language model, and on the planted model, whose odds are known.
 */

import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/lexicon/index.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { pearson } from '../oracle/correlation.ts';
import { entropy, mass, softmax } from '../oracle/metrics.ts';
import { OracleModel } from '../oracle/score.ts';
import { sharedFile } from '../oracle/shared.ts';
import { pieceTexts } from '../oracle/steps.ts';
import { exactRun, figures, type ResultRow, rowsIn } from './exact-run.ts';
import { plantedFiles } from './planted.ts';
import { jsonlFile } from './suite-run.ts';

const STORIES = sharedFile('models/stories260K.gguf');

/** float32 passes against float64, in nats and in probability. */
const FLOAT32 = 1e-5;

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Ids of the tokens that do not go on with a word. */
function endsOf(model: OracleModel): number[] {
  const pieces = pieceTexts(model, [...model.spm.pieces.keys()]);
  return [...pieces.keys()].filter((id) => !/^[\p{L}\p{M}\p{N}\uFFFD]/u.test(pieces[id]!));
}

/** ln P of the tokens that `text` has behind those of `prefix`, and of a word's end behind them. */
function logProbBehind(model: OracleModel, prefix: string, text: string, ends: readonly number[]): number {
  const [from, ids] = [model.tokens(prefix).length, model.tokens(text)];
  const path = model
    .logProbs(ids)
    .slice(from)
    .reduce((sum: number, logProb) => sum + logProb!, 0);
  return path + Math.log(mass(softmax(model.logits(ids).at(-1)!), ends));
}

async function expectRun(
  file: string,
  template: string,
  words: readonly [string, string],
  wholeWords = false,
): Promise<void> {
  const occupations = ['nurse', 'plumber', 'teacher', 'engineer', 'baker'];
  const all = await loadLexicon('gender-en');
  // The oracle decodes each form anew, so that a few words must do: they begin each other, as "her" begins "herself".
  const few = ({ words, ...group }: (typeof all.groups)[number]) => ({ ...group, words: words.slice(0, 5) });
  const lexicon = wholeWords ? { ...all, groups: all.groups.map(few) } : all;
  const result = await exactRun({
    model: file,
    suite: findSuite('ctf'),
    lexicon,
    data: jsonlFile(occupations.map((occupation) => ({ occupation }))),
    options: { steps: 'before', template, wholeWords },
  });
  const model = new OracleModel(file);
  const ends = endsOf(model);
  const groups = result.mapping!.groups.map(({ ids }) => [...ids]);
  const rows = rowsIn(result.folder.journal);
  expect(rows.map(({ status }) => status)).toEqual(occupations.map(() => 'ok'));
  const expected = rows.map((row: ResultRow, at) => {
    const prefix = `The ${occupations[at]} said that`;
    expect(row).toMatchObject({ prefix, words, tokenIds: model.tokens(prefix) });
    const [first, second] = words.map((word) => logProbBehind(model, prefix, `${prefix} ${word}`, ends)) as [
      number,
      number,
    ];
    const p = softmax(model.logits(model.tokens(prefix)).at(-1)!);
    const whole = (group: string[]) =>
      group
        .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)])
        .filter((word, own, all) => all.indexOf(word) === own)
        .reduce((sum, word) => sum + Math.exp(logProbBehind(model, prefix, `${prefix} ${word}`, ends)), 0);
    const masses = (
      wholeWords ? lexicon.groups.map((group) => whole([...group.words])) : groups.map((ids) => mass(p, ids))
    ) as [number, number];
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

  it.skipIf(!STORIES)('has the exact masses of whole words', { timeout: 120_000 }, async () => {
    await expectRun(STORIES!, 'The {occupation} said that {she|he}', ['she', 'he'], true);
  });

  it('finds the odds that the planted model has by occupation', { timeout: 60_000 }, async () => {
    const { model } = await plantedFiles();
    await expectRun(model, 'The {occupation} said that {she|he}', ['she', 'he']);
  });
});
