/**
 * The first token of a text that is scored as a whole: behind the model's own BOS, behind a BOS or EOS that is put in
 * front as lm-evaluation-harness does, or left out. Numbers are held against float64 passes over those tokens.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObserveRequest } from '../../src/observation/observation.ts';
import { findSuite } from '../../src/suites/registry.ts';
import { exactRun, figures, type ResultRow, rowsIn } from '../e2e/exact-run.ts';
import { faultOf } from '../fault.ts';
import { logSumExp } from '../oracle/metrics.ts';
import { compareFolders } from '../run/compare-folders.ts';
import { temporaryFolder } from '../temporary.ts';
import { FAMILIES, Family, sequencesOf } from './family.ts';
import { BOS, bpe, EOS, type Vocabulary } from './vocabularies.ts';

/** float32 passes against float64, over a sentence. */
const SENTENCE = 1e-4;

const without = (...keys: string[]): Vocabulary => {
  const vocabulary = bpe('llama-bpe');
  const metadata = new Map(vocabulary.metadata);
  for (const key of keys) metadata.delete(`tokenizer.ggml.${key}`);
  return { ...vocabulary, metadata };
};
const EOS_ALONE = new Family({ name: 'EOS alone', vocabulary: without('bos_token_id'), addsBos: false });
const NEITHER = new Family({
  name: 'neither BOS nor EOS',
  vocabulary: without('bos_token_id', 'eos_token_id'),
  addsBos: false,
});
const PLAIN = FAMILIES.find(({ name }) => name === 'BPE (llama-bpe)')!;
const OWN_BOS = FAMILIES.find(({ name }) => name === 'BPE (gpt-2)')!;

const TEXTS = ['She said that she was old.', 'He', 'a <s> b', 'The nurse </s>'];

/** The sum over all tokens behind the first of these. */
function logProbOf(family: Family, ids: readonly number[]): number {
  const rows = family.oracle.llama.forwardAll(ids).map((row) => [...row]);
  return ids.slice(1).reduce((sum, id, at) => sum + rows[at]![id]! - logSumExp(rows[at]!), 0);
}

/** What a text of the family stands behind. */
const frontOf = (family: Family) => (family === EOS_ALONE ? family.id(EOS) : family.id(BOS));
const asked = (family: Family, text: string) => {
  const ids = family.oracle.data(text);
  return family.addsBos ? ids : [frontOf(family), ...ids];
};

describe.each([...FAMILIES, EOS_ALONE])('$name', (family) => {
  it('scores every token of a text behind one BOS, or one EOS where it has no BOS', async () => {
    await using model = await family.open({ mode: 'exact' });
    const request: ObserveRequest = {
      kind: 'score',
      prompt: '',
      continuations: TEXTS,
      perToken: true,
      scoreFirst: true,
    };
    expect(model.refusal(request)).toBeNull();
    const observed = await model.observeWindow([request], {});
    expect(observed.failures).toEqual([]);
    const wanted = TEXTS.map((text) => asked(family, text));
    expect(sequencesOf(observed)).toEqual(wanted);
    expect([...observed.scores.tokens]).toEqual(wanted.map(({ length }) => length - 1));
    wanted.forEach((ids, at) => {
      expect(Math.abs(observed.scores.logProb[at]! - logProbOf(family, ids)), TEXTS[at]).toBeLessThan(
        SENTENCE,
      );
    });
  });

  it('puts nothing in front of what stands behind a prompt', async () => {
    await using model = await family.open();
    const request: ObserveRequest = {
      kind: 'score',
      prompt: 'The nurse',
      continuations: [' said'],
      scoreFirst: true,
    };
    const observed = await model.observeWindow([request], {});
    expect(sequencesOf(observed)).toEqual([family.oracle.data('The nurse said')]);
  });
});

const PAIRS = [
  ['She was old and late.', 'He was old and late.', 'stereo'],
  ['The nurse was late.', 'The cook was late.', 'antistereo'],
  ['She said that she was late.', 'He said that he was late.', 'antistereo'],
  ['We know that he is old.', 'We know that she is old.', 'stereo'],
] as const;

function pairsFile(): string {
  const path = join(temporaryFolder(), 'pairs.jsonl');
  const line = ([sent_more, sent_less, stereo_antistereo]: (typeof PAIRS)[number], id: number) =>
    JSON.stringify({ id, sent_more, sent_less, stereo_antistereo });
  writeFileSync(path, `${PAIRS.map(line).join('\n')}\n`);
  return path;
}

describe('crows on a model that puts no BOS in front', () => {
  const run = (model: Family, data: string, options = {}, more = {}) =>
    exactRun({
      suite: findSuite('crows'),
      model: model.path,
      data,
      options,
      out: join(temporaryFolder(), 'run'),
      ...more,
    });

  it('gives the numbers of lm-evaluation-harness: behind BOS, every token of the sentence', async () => {
    const result = await run(PLAIN, pairsFile());
    const sums = PAIRS.map(([more, less]) =>
      [more, less].map((text) => logProbOf(PLAIN, asked(PLAIN, text))),
    );
    const rows = rowsIn(result.folder.journal);
    rows.forEach((row, at) => {
      expect(Math.abs((row.logProbMore as number) - sums[at]![0]!)).toBeLessThan(SENTENCE);
      expect(Math.abs((row.logProbLess as number) - sums[at]![1]!)).toBeLessThan(SENTENCE);
    });
    const found = figures(result);
    const hits = sums.filter(([more, less]) => more! > less!).length;
    expect(found.get('lmEval.pctStereotype')!.value).toBe(hits / PAIRS.length);
    const differences = sums.map(([more, less]) => Math.abs(more! - less!));
    const mean = differences.reduce((sum, value) => sum + value, 0) / PAIRS.length;
    expect(Math.abs(found.get('lmEval.likelihoodDiff')!.value! - mean)).toBeLessThan(SENTENCE);
    expect(result.manifest.model.front).toEqual({ is: 'BOS', text: BOS });
  });

  it('counts the rows that hang on the first token, in metrics.json, in rows and in a remark', async () => {
    const data = pairsFile();
    const firsts = PAIRS.map(([more, less]) => {
      const [a, b] = [PLAIN.oracle.data(more), PLAIN.oracle.data(less)];
      if (a[0] === b[0]) return 'no';
      return a.slice(1).join() === b.slice(1).join() ? 'only' : 'too';
    });
    const differ = firsts.filter((first) => first !== 'no').length;
    const only = firsts.filter((first) => first === 'only').length;
    expect(differ).toBeGreaterThan(0);
    for (const firstToken of ['prefix', 'auto', 'skip']) {
      const result = await run(PLAIN, data, { firstToken });
      expect(rowsIn(result.folder.journal).map((row: ResultRow) => row.firstTokenDiffers)).toEqual(firsts);
      const { metrics } = JSON.parse(readFileSync(result.folder.metrics, 'utf8'));
      expect(metrics.firstToken.differs).toMatchObject({ hits: differ, n: PAIRS.length });
      expect(metrics.firstToken.differsOnlyThere).toMatchObject({ hits: only, n: PAIRS.length });
      const said = `in ${differ} of ${PAIRS.length} rows the sentences differ at that token, in ${only} only there`;
      const first = firstToken === 'prefix' ? `its BOS "${BOS}" was put there` : 'is not scored';
      expect(result.remarks.filter((remark) => remark.includes(said) && remark.includes(first))).toHaveLength(
        1,
      );
    }
  });

  it('leaves the first token out in the reference mode, as the reference does', async () => {
    const result = await run(PLAIN, pairsFile(), {}, { compat: 'reference' });
    expect(result.manifest.experiment.options).toEqual({ firstToken: 'auto' });
    const [row] = rowsIn(result.folder.journal);
    const ids = PLAIN.oracle.data(PAIRS[0][0]);
    expect(Math.abs((row!.logProbMore as number) - logProbOf(PLAIN, ids))).toBeLessThan(SENTENCE);
  });

  it('is compared with runs that treat the first token alike, whatever their option, and with no others', async () => {
    const data = pairsFile();
    const at = async (family: Family, firstToken: string) =>
      (await run(family, data, { firstToken })).folder.path;
    const [scored, out] = [await at(PLAIN, 'prefix'), await at(PLAIN, 'auto')];
    const [own, skipped] = [await at(OWN_BOS, 'auto'), await at(OWN_BOS, 'skip')];
    for (const [a, b] of [
      [scored, own],
      [out, skipped],
    ] as const) {
      expect((await compareFolders(a, b)).comparisons.map(({ n }) => n)).toEqual([4, 4, 4]);
    }
    // The last two have one and the same option.
    for (const [a, b] of [
      [scored, out],
      [scored, skipped],
      [out, own],
    ] as const) {
      const { code, message } = await faultOf(compareFolders(a, b));
      expect(code).toBe('bad_argument');
      expect(message).toMatch(/option firstToken differs: .*the first token is (?:scored|left out).*, and /);
    }
  });
});

describe('a model with neither BOS nor EOS', () => {
  it('is refused before anything is written, and says what to do', async () => {
    const out = join(temporaryFolder(), 'run');
    for (const suite of ['crows', 'ppl']) {
      const data = suite === 'ppl' ? join(temporaryFolder(), 'texts.txt') : pairsFile();
      if (suite === 'ppl') writeFileSync(data, 'She was old.\n');
      const { code, message } = await faultOf(
        exactRun({ suite: findSuite(suite), model: NEITHER.path, data, out }),
      );
      expect([code, message]).toEqual([
        'not_supported',
        expect.stringMatching(/^\w+: .*neither BOS nor EOS.*--first-token auto/),
      ]);
      const told = await exactRun({
        suite: findSuite(suite),
        model: NEITHER.path,
        data,
        options: { firstToken: 'auto' },
      });
      expect(told.counts.failed).toBe(0);
    }
  });

  it('fails the request by itself where it is asked all the same', async () => {
    await using model = await NEITHER.open();
    const request: ObserveRequest = {
      kind: 'score',
      prompt: '',
      continuations: ['She was'],
      scoreFirst: true,
    };
    const { failures } = await model.observeWindow([request], {});
    expect(failures).toMatchObject([{ request: 0, message: expect.stringContaining('neither BOS nor EOS') }]);
  });
});
