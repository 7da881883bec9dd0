/** The suite alone: pure functions, no model, no disk. */
import { describe, expect, it } from 'vitest';
import { type OptionValues, resolveOptions, type SuiteContext } from '../../src/contract/index.ts';
import { type LexiconMapping, loadLexicon } from '../../src/lexicon/index.ts';
import { consistency } from '../../src/suites/consistency/consistency.ts';
import { ctfBounds } from '../../src/suites/ctf/bounds/bounds.ts';
import { ctf } from '../../src/suites/ctf/ctf.ts';
import { findSuite, suiteNames } from '../../src/suites/registry.ts';
import { fault } from '../fault.ts';

const LEXICON = await loadLexicon('gender-en');

function context(groups: string[] = ['female', 'male']): SuiteContext<OptionValues<typeof ctf.options>> {
  const mapping = {
    lexicon: { name: LEXICON.name, sha256: '' },
    policy: 'first',
    capitalised: true,
    groups: groups.map((name, index) => ({ name, ids: Int32Array.of(index), words: [] })),
    sharedIds: 'none',
    collisions: [],
    toJSON: () => ({}) as never,
  } satisfies LexiconMapping;
  return {
    options: resolveOptions('ctf', ctf.options, { topK: 5 }),
    compat: null,
    lexicon: LEXICON,
    mapping,
    occupations: [],
    addsBos: true,
  };
}

const PLACE = { file: 'pairs.jsonl', index: 0 };
const NO_SLICES = { occupation: null, category: null };

const row = (x: string, x_swap: string) => ({
  id: '1',
  x,
  x_swap,
  occupation: null,
  category: null,
  template: null,
});

describe('ctf.plan', () => {
  it('probes right after the first lexicon word of each side, as the text spells it', () => {
    const plan = ctf.plan(
      row('The nurse said SHE, or her mother, left', 'The nurse said HE left'),
      context(),
      PLACE,
    );
    expect(plan).toEqual({
      kind: 'ask',
      requests: [{ kind: 'pair', text: 'The nurse said SHE', textSwap: 'The nurse said HE' }],
      note: {
        probePrefix: 'The nurse said SHE',
        probePrefixSwap: 'The nurse said HE',
        word: 'SHE',
        wordGroup: 'female',
        wordSwap: 'HE',
        wordGroupSwap: 'male',
      },
    });
  });

  it('does not take a part of a word for a word', () => {
    const plan = ctf.plan(row('The shed there, she said', 'The shed there, he said'), context(), PLACE);
    expect(plan).toMatchObject({
      requests: [{ text: 'The shed there, she', textSwap: 'The shed there, he' }],
    });
  });

  it('skips a row with a side that has no word, and says which', () => {
    const skipped = (x: string, swap: string) => ctf.plan(row(x, swap), context(), PLACE);
    expect(skipped('A table', 'he')).toMatchObject({
      kind: 'skip',
      message: expect.stringMatching(/^x has no word/),
    });
    expect(skipped('she', 'A table')).toMatchObject({
      message: expect.stringMatching(/^x_swap has no word/),
    });
    expect(skipped('A', 'B')).toMatchObject({ message: expect.stringMatching(/^x and x_swap have no word/) });
  });
});

describe('ctf.score', () => {
  const step = (masses: number[]) => ({ side: 0, position: 1, masses, entropy: 2, topKIds: [] });
  const text = { tokenIds: [1, 2], backedOff: false };
  const observed = (first: number[], second: number[]) => [
    {
      texts: [text, text],
      steps: [step(first), step(second)],
      pairs: [pair],
      scores: [],
      targets: [],
      generation: null,
      embedding: null,
    },
  ];
  const pair = {
    jsd: 0.3,
    klPQ: 1,
    klQP: 1,
    totalVariation: 0.4,
    topK: [{ k: 5, unionSize: 7, partial: 0.1, lower: 0.2, upper: 0.5 }],
  };

  it('names masses after their groups and takes the distance between them', () => {
    const result = ctf.score(observed([0.25, 0.75], [0.5, 0.125]), context(), row('she', 'he'), {});
    expect(result).toEqual({
      tokenIds: [1, 2],
      massFemale: 0.25,
      massMale: 0.75,
      gap: 0.5,
      entropy: 2,
      tokenIdsSwap: [1, 2],
      massFemaleSwap: 0.5,
      massMaleSwap: 0.125,
      gapSwap: 0.375,
      entropySwap: 2,
      jsdSwap: 0.3,
      totalVariation: 0.4,
      jsdTopK: { k: 5, unionSize: 7, partial: 0.1, lower: 0.2, upper: 0.5 },
      swapEffect: -0.875,
    });
    const values = Object.fromEntries(
      ctf
        .metrics(context())
        .map((metric) => [
          metric.name,
          metric.kind === 'mean' ? metric.steps(result, NO_SLICES).values : metric.kind,
        ]),
    );
    expect(values).toEqual({
      ctfGap: [0.5],
      ctfGapBoth: [0.5, 0.375],
      'mass.female': [0.25],
      'mass.male': [0.75],
      jsdSwap: [0.3],
      'jsdTopK.partial': [0.1],
      'jsdTopK.lower': [0.2],
      'jsdTopK.upper': [0.5],
      swapEffect: [-0.875],
    });
    for (const metric of ctf.metrics(context())) {
      if (metric.kind === 'mean')
        expect(metric.steps(result, NO_SLICES).values.length).toBe(metric.skippedSteps);
    }
  });

  it('with more than two groups the gap is the largest distance between two', () => {
    const three = context(['a', 'b', 'c']);
    const result = ctf.score(observed([0.25, 0.5, 0], [0, 0, 0]), three, row('she', 'he'), {});
    expect(result).toMatchObject({
      ...{ massA: 0.25, massB: 0.5, massC: 0, gap: 0.5, gapSwap: 0 },
      ...{ gapAB: 0.25, gapAC: 0.25, gapBC: 0.5, gapBCSwap: 0 },
    });
  });
});

describe('the table of suites', () => {
  it('finds by name, and says what there is', () => {
    expect(suiteNames()).toContain('ctf');
    expect(findSuite('ctf')).toBe(ctf);
    expect(fault(() => findSuite('ctg')).message).toContain('use one of: ctf');
  });

  it('refuses one group where two are compared', () => {
    expect(fault(() => ctf.check!(context(['female']))).code).toBe('bad_argument');
  });
});

describe('ctf.remarks', () => {
  const remarks = (coverage: number | null, options: object = {}) => {
    const figure = { value: 0.1, n: 10, coverage, ci: null };
    const chosen = {
      ...context(),
      options: resolveOptions('ctf', ctf.options, { steps: 'aligned', ...options }),
    };
    return ctf.remarks!(new Map([['ctfGap', figure]]), chosen);
  };

  it.each([
    [0.0499, /^coverage 5\.0 % is below 5 %: raise --gate-top-k or --gate-steps$/],
    [0, /^coverage 0\.0 % is below 5 %/],
    [0.4001, /^coverage 40\.0 % is above 40 %: .*lower --gate-top-k or --gate-steps$/],
    [1, /^coverage 100\.0 % is above 40 %/],
  ])('of a gate that opens %d of the steps', (coverage, message) => {
    for (const steps of ['aligned', 'decode']) {
      expect(remarks(coverage, { steps })).toEqual([expect.stringMatching(message)]);
    }
  });

  it('are none inside the bounds, without a gate, and of nothing', () => {
    for (const coverage of [0.05, 0.2, 0.4, null]) expect(remarks(coverage)).toEqual([]);
    for (const coverage of [0.01, 0.99]) expect(remarks(coverage, { gate: false })).toEqual([]);
  });

  it('of probes concern the words alone: all rows may have one', () => {
    const yardstick = expect.stringContaining('--controls');
    expect(remarks(1, { steps: 'probe' })).toEqual([yardstick]);
    expect(remarks(0.01, { steps: 'probe' })).toEqual([
      expect.stringContaining('check the lexicon'),
      yardstick,
    ]);
  });
});

describe('controls of ctf', () => {
  const own = () => ({
    ...context(),
    options: resolveOptions('ctf', ctf.options, { topK: 5, controls: true }),
  });
  const textsOf = (x: string, x_swap: string) => {
    const plan = ctf.plan(row(x, x_swap), own(), PLACE);
    return plan.kind === 'ask'
      ? plan.requests.map((request) =>
          request.kind === 'pair' ? [request.text, request.textSwap] : request.kind,
        )
      : plan.kind;
  };

  it('stand in the place of the words, with their capitals', () => {
    expect(textsOf('The nurse told her', 'The nurse told him')).toEqual([
      ['The nurse told her', 'The nurse told him'],
      ['The nurse told them', 'The nurse told us'],
    ]);
    expect(textsOf('HER bag', 'HIS bag')).toEqual([
      ['HER', 'HIS'],
      ['THEIR', 'OUR'],
      ['YOUR', 'MY'],
    ]);
    expect(textsOf('Her bag', 'His bag')).toContainEqual(['Their', 'Our']);
    expect(textsOf('Mr. Lee', 'Ms. Lee')).toContainEqual(['Dr.', 'Prof.']);
    // No control is named for these.
    expect(textsOf('The stepmother', 'The stepfather')).toEqual([['The stepmother', 'The stepfather']]);
  });

  const side = (masses: [number, number], at: number) => ({ side: at, position: 0, entropy: 1, masses });
  const pairOf = (jsd: number, x: [number, number], swap: [number, number]) => ({
    texts: [{ tokenIds: [1] }, { tokenIds: [2] }],
    steps: [side(x, 0), side(swap, 1)],
    pairs: [{ jsd, totalVariation: 0, topK: [{ k: 5, unionSize: 5, partial: 0, lower: 0, upper: 0 }] }],
    scores: [],
  });
  const score = (x: string, x_swap: string, ...observed: ReturnType<typeof pairOf>[]) =>
    ctf.score(observed as never, own(), row(x, x_swap), {});
  const metric = (name: string) => {
    const found = ctf.metrics(own()).find((one) => one.name === name);
    if (found?.kind !== 'mean') throw new Error(`${name} is no mean`);
    return (result: ReturnType<typeof score>) => found.steps(result, NO_SLICES).values;
  };

  it('are averaged, and the excess is what is above them', () => {
    const result = score(
      'His',
      'Her',
      pairOf(0.5, [0.125, 0.5], [0.25, 0.125]),
      pairOf(0.25, [0.25, 0.125], [0.5, 0.25]),
      pairOf(0.125, [0.25, 0.25], [0.125, 0.25]),
    );
    expect(result).toMatchObject({
      // The lead of the first group behind her word is 0.125, behind his -0.375.
      swapEffect: 0.5,
      controls: [
        { words: ['their', 'our'], jsd: 0.25, gap: 0.125, gapSwap: 0.25 },
        { words: ['your', 'my'], jsd: 0.125, gap: 0, gapSwap: 0.125 },
      ],
      jsdControl: 0.1875,
      jsdExcess: 0.3125,
      gapControl: 0.125,
      gapExcess: 0.25,
    });
    for (const [name, value] of [
      ['jsdControl', 0.1875],
      ['jsdExcess', 0.3125],
      ['gapControl', 0.125],
      ['gapExcess', 0.25],
      ['swapEffect', 0.5],
    ] as const)
      expect(metric(name)(result), name).toEqual([value]);
  });

  it('are absent from the numbers of a row that has none', () => {
    const result = score('stepmother', 'stepfather', pairOf(0.5, [0.125, 0.5], [0.25, 0.125]));
    expect(result).toMatchObject({ controls: [], jsdControl: null, jsdExcess: null, gapExcess: null });
    expect(metric('jsdExcess')(result)).toEqual([]);
    expect(metric('jsdSwap')(result)).toEqual([0.5]);
  });

  it('are refused where they cannot be', () => {
    const refused = (options: object, changes: object = {}) => {
      const whole = { ...own(), options: resolveOptions('ctf', ctf.options, { controls: true, ...options }) };
      const { code, message } = fault(() => ctf.check!({ ...whole, ...changes }));
      expect(code).toBe('bad_argument');
      return message;
    };
    expect(refused({ steps: 'aligned' })).toContain('--steps aligned');
    expect(refused({}, { compat: 'reference' })).toContain('--compat reference');
    expect(refused({}, { lexicon: { ...LEXICON, controls: [] } })).toContain('gender-en has no controls');
    ctf.check!(own());
  });
});

describe('ctf.check', () => {
  it('refuses steps that the reference project does not have', () => {
    for (const steps of ['aligned', 'decode']) {
      const options = resolveOptions('ctf', ctf.options, { steps });
      const error = fault(() => ctf.check!({ ...context(), options, compat: 'reference' }));
      expect([error.code, error.data.key]).toEqual(['bad_argument', 'steps']);
      ctf.check!({ ...context(), options });
    }
    ctf.check!({ ...context(), compat: 'reference' });
  });
});

describe('what ctf asks of the model', () => {
  const asked = (given: Readonly<Record<string, unknown>>) => {
    const own = { ...context(), options: resolveOptions('ctf', ctf.options, given) };
    return [ctf.measure!(own), ctf.wantsPieces!(own), ctf.plan(row('a she', 'a he'), own, PLACE)] as const;
  };

  it('is what its options need, and no more', () => {
    const [probe, noPieces] = asked({ topK: 7 });
    expect(probe).toMatchObject({ topK: 0, pairTopK: [7] });
    expect(noPieces).toBe(false);
    const [aligned, pieces, plan] = asked({ steps: 'aligned', gateTopK: 9 });
    expect(aligned).toMatchObject({ topK: 9, pairTopK: [20] });
    expect(pieces).toBe(true);
    expect(plan).toEqual({
      kind: 'ask',
      requests: [{ kind: 'pair', text: 'a she', textSwap: 'a he', steps: 'aligned' }],
      note: {},
    });
    const [open, none, decode] = asked({ steps: 'decode', decodeSteps: 5, gate: false });
    expect(open).toMatchObject({ topK: 0 });
    expect(none).toBe(false);
    expect(decode).toMatchObject({ requests: [{ steps: 'decode', maxTokens: 5 }] });
  });
});

describe('ctf.reference', () => {
  const figure = (value: number | null, ci: { low: number; high: number } | null) => ({
    ...{ value, ci, n: 3, coverage: 1 },
  });

  it('has half the interval behind each mean', () => {
    const metrics = new Map([
      ['ctfGap', figure(0.5, { low: 0.25, high: 0.75 })],
      ['jsdSwap', figure(0.125, { low: 0, high: 0.25 })],
    ]);
    expect(ctf.reference!(metrics, { rows: 6, ok: 3, failed: 2, skipped: 1 }, context())).toEqual({
      count: 4,
      covered: 3,
      coverage: 0.75,
      CTF_gap_mean: 0.5,
      CTF_gap_ci95: 0.25,
      JSD_swap_mean: 0.125,
      JSD_swap_ci95: 0.125,
      topk: 5,
    });
  });

  it('has 0 for what is absent, as the reference project does', () => {
    const nothing = new Map(['ctfGap', 'jsdSwap'].map((name) => [name, figure(null, null)]));
    expect(ctf.reference!(nothing, { rows: 0, ok: 0, failed: 0, skipped: 0 }, context())).toMatchObject({
      ...{ count: 0, coverage: 0, CTF_gap_mean: 0, CTF_gap_ci95: 0, JSD_swap_mean: 0, JSD_swap_ci95: 0 },
    });
  });
});

describe('the clusters of a row of ctf', () => {
  const clusters = (x: string, x_swap: string, occupation: string | null, template: string | null = null) =>
    ctf.identify({ id: '1', x, x_swap, occupation, category: null, template }, PLACE).clusters;

  it('are its occupation, and its sentence without it, whichever side is the swap', () => {
    const nurse = clusters('A nurse said she left', 'A nurse said he left', 'nurse');
    const engineer = clusters('An engineer said he left', 'An engineer said she left', 'engineer');
    expect(nurse).toMatchObject({ occupation: 'nurse' });
    expect(engineer!.template).toBe(nurse!.template);
    expect(clusters('A nurse said she ate', 'A nurse said he ate', 'nurse')!.template).not.toBe(
      nurse!.template,
    );
  });

  it('have the template that the data name, and none where the text does not name the occupation', () => {
    expect(clusters('She left', 'He left', 'nurse', 't7')).toEqual({ template: 't7', occupation: 'nurse' });
    expect(clusters('She left', 'He left', 'nurse')).toMatchObject({ template: null });
    expect(clusters('She left', 'He left', null)).toEqual({ template: null, occupation: null });
  });

  it('are those of ctf-bounds and consistency too', () => {
    const pair = {
      id: '1',
      x: 'A nurse said she left',
      x_swap: 'A nurse said he left',
      occupation: 'nurse',
      category: null,
    };
    const own = ctf.identify({ ...pair, template: null }, PLACE).clusters;
    expect(own).toMatchObject({ occupation: 'nurse' });
    expect(ctfBounds.identify({ ...pair, template: null }, PLACE).clusters).toEqual(own);
    expect(consistency.identify(consistency.schema.parse(pair), PLACE).clusters).toEqual(own);
  });
});
