/** The step in front of the word: what is asked, what is scored, and templates that make the texts. */
import { describe, expect, it } from 'vitest';
import { type ObservedRequest, resolveOptions, type SuiteContext } from '../../src/contract/index.ts';
import { type LexiconMapping, loadLexicon } from '../../src/lexicon/index.ts';
import { ctf } from '../../src/suites/ctf/ctf.ts';
import type { CtfOptions } from '../../src/suites/ctf/options.ts';
import { fault } from '../fault.ts';
import { observedScore } from './observations.ts';

const LEXICON = await loadLexicon('gender-en');
const PLACE = { file: 'pairs.jsonl', index: 0 };

function context({ addsBos = true, template = null as string | null } = {}): SuiteContext<CtfOptions> {
  const mapping = {
    lexicon: { name: LEXICON.name, sha256: '' },
    policy: 'first',
    capitalised: true,
    groups: ['female', 'male'].map((name, index) => ({ name, ids: Int32Array.of(index), words: [] })),
    sharedIds: 'none',
    collisions: [],
    toJSON: () => ({}) as never,
  } satisfies LexiconMapping;
  const options = resolveOptions('ctf', ctf.options, { steps: 'before', template });
  const occupations = [{ name: 'share', values: new Map([['nurse', 0.9]]) }];
  return { options, compat: null, lexicon: LEXICON, mapping, occupations, addsBos };
}

const row = (x: string, x_swap: string) => ({
  ...{ id: '1', x, x_swap, occupation: null, category: null, template: null },
});
const plan = (x: string, x_swap: string, addsBos = true) =>
  ctf.plan(row(x, x_swap), context({ addsBos }), PLACE);

describe('ctf --steps before: the plan', () => {
  it('asks in front of the word, with the space on the side of the word', () => {
    expect(plan('The nurse said that she left', 'The nurse said that he left')).toEqual({
      kind: 'ask',
      requests: [
        { kind: 'probe', text: 'The nurse said that' },
        { kind: 'score', prompt: 'The nurse said that', continuations: [' she', ' he'] },
        { kind: 'probe', text: 'The nurse said that she' },
        { kind: 'probe', text: 'The nurse said that he' },
      ],
      note: { prefix: 'The nurse said that', words: ['she', 'he'], wordGroups: ['female', 'male'] },
    });
  });

  it('has the words in the order of the groups, whichever of them the text has', () => {
    expect(plan('My brother', 'My sister')).toMatchObject({
      requests: [{}, { continuations: [' sister', ' brother'] }, {}, {}],
      note: { wordGroups: ['female', 'male'] },
    });
  });

  it('skips what has no such step, with a reason of its own', () => {
    const reason = (...[x, swap, addsBos]: Parameters<typeof plan>) =>
      (plan(x, swap, addsBos) as { reason?: string }).reason;
    expect(reason('A table', 'He left')).toBe('no_lexicon_word');
    expect(reason('Anna saw her', 'John saw him')).toBe('prefixes_differ');
    expect(reason('I saw her', 'I saw she')).toBe('same_group');
    expect(reason('She left', 'He left', false)).toBe('no_text_before');
    expect(reason('She left', 'He left', true)).toBeUndefined();
  });
});

describe('ctf --steps before: the score', () => {
  const probe: ObservedRequest = {
    texts: [{ tokenIds: [1, 2], backedOff: false }],
    steps: [{ side: 0, position: 1, masses: [0.25, 0.125], entropy: 2, topKIds: [] }],
    pairs: [],
    scores: [],
    targets: [],
    generation: null,
    embedding: null,
  };
  /** What stands behind a word: a third group's mass says how likely the word ends there. */
  const behind = (end: number): ObservedRequest => ({
    ...probe,
    steps: [{ ...probe.steps[0]!, masses: [0, 0, end] }],
  });
  const result = (female: number[], male: number[], [she, he] = [1, 1]) =>
    ctf.score(
      [probe, observedScore({ logProbs: female }, { logProbs: male }), behind(she!), behind(he!)],
      context(),
      row('x she', 'x he'),
      { prefix: 'x', words: ['she', 'he'] },
    );

  it('is signed: above 0 the word of the first group is likelier', () => {
    const measured = result([Math.log(0.3)], [Math.log(0.1)]) as Record<string, number>;
    expect(measured.logOdds).toBeCloseTo(Math.log(3), 12);
    expect(measured.pairShare).toBeCloseTo(0.75, 12);
    expect(measured.wordGap).toBeCloseTo(0.2, 12);
    expect(measured).toMatchObject({ massFemale: 0.25, massMale: 0.125, gap: 0.125, signedGap: 0.125 });
  });

  it('keeps its digits for words that are hardly ever said, and sums the tokens of long ones', () => {
    const measured = result([-400, -400], [-801]) as Record<string, number>;
    expect(measured.pairShare).toBeCloseTo(1 / (1 + Math.exp(-1)), 12);
    expect(measured.logOdds).toBeCloseTo(1, 12);
  });

  it('counts whole words: what goes on to a longer one is not the word', () => {
    const measured = result([Math.log(0.3)], [Math.log(0.3)], [0.25, 0.5]) as Record<string, number>;
    expect(measured.wordGap).toBeCloseTo(0.3 * 0.25 - 0.3 * 0.5, 12);
    expect(measured.logOdds).toBeCloseTo(Math.log(0.5), 12);
  });

  it('gives the metrics, and the correlations by occupation', () => {
    const measured = result([-1], [-3]);
    const metrics = ctf.metrics(context());
    const named = (name: string) => metrics.find((metric) => metric.name === name)!;
    const names = ['logOdds', 'pairShare', 'wordGap', 'prefers.female', 'signedGap', 'ctfGap'];
    for (const name of names) expect(named(name), name).toBeDefined();
    for (const name of ctf.headline.slice(0, 3)) expect(named(name), name).toBeDefined();
    const prefers = named('prefers.female');
    if (prefers.kind !== 'share') throw new Error(prefers.kind);
    const none = { occupation: null, category: null };
    expect(prefers.hit(measured, none)).toBe(true);
    expect(prefers.hit(result([-3], [-1]), none)).toBe(false);
    expect(prefers.hit(result([-1], [-1]), none)).toBe(null);
    const correlation = named('correlation.share.logOdds');
    if (correlation.kind !== 'correlation') throw new Error(correlation.kind);
    expect(correlation.point(measured, { occupation: 'Nurse', category: null })).toEqual({
      ...{ group: 'nurse', x: 0.9, y: 2 },
    });
    expect(correlation.point(measured, { occupation: 'diver', category: null })).toBe(null);
  });

  it('has two groups only', () => {
    const { mapping, ...rest } = context();
    const groups = [...mapping!.groups, { ...mapping!.groups[0]!, name: 'third' }];
    const three = { ...rest, mapping: { ...mapping!, groups } };
    expect(fault(() => ctf.check!(three))).toMatchObject({ code: 'bad_argument' });
  });
});

describe('ctf --template', () => {
  const schema = (template: string) => ctf.schemaWith!(context({ template }).options);

  it('makes both texts of a row, whatever the columns are called', () => {
    const template = 'The {job title} met {n} people, and {she | he} smiled.';
    expect(schema(template).parse({ 'job title': 'nurse', n: 3, occupation: 'nurse' })).toMatchObject({
      x: 'The nurse met 3 people, and she smiled.',
      x_swap: 'The nurse met 3 people, and he smiled.',
      occupation: 'nurse',
      category: null,
    });
  });

  it('names the column that a row lacks', () => {
    const { error } = schema('The {occupation} said {she|he}').safeParse({ job: 'nurse' });
    expect(error!.issues.map(({ path }) => path)).toEqual([['occupation']]);
  });

  it.each([
    ['The {occupation} said that she', /has no slot/],
    ['{she|he} met {her|him}', /has 2 slots/],
    ['The {} said {she|he}', /names no column/],
    ['Who? {she|he|they}', /names no column and no two words/],
    ['Who? {she|}', /names no column and no two words/],
    ['Who? {she|she}', /same word twice/],
  ])('refuses %s', (template, message) => {
    const refused = fault(() => schema(template));
    expect(refused.code).toBe('bad_argument');
    expect(refused.message).toMatch(message);
  });
});
