/**
 * Journals that no model wrote: rows of every suite with values from a seed, few and many, equal and scattered, with ties, missing values, and
 * clusters of none, one and two ways; and the numbers that the product makes of them. What a small model does not come to is in them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Fields, Suite, SuiteContext } from '../../src/contract/index.ts';
import type { IntervalOptions } from '../../src/run/accumulate/index.ts';
import { derive } from '../../src/run/derive.ts';
import { runFolder } from '../../src/run/folder.ts';
import { type JournalEntry, JournalWriter } from '../../src/run/journal.ts';
import { findSuite } from '../../src/suites/registry.ts';

/** How the values of a journal lie. */
export type Spread = 'scattered' | 'coarse' | 'equal';

/** Of a seed (mulberry32): the same on every machine. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Null every `one`-th time. */
  maybe<T>(value: T, one = 6): T | null {
    return this.below(one) === 0 ? null : value;
  }
}

/** Values of one spread. */
export class Values {
  readonly #chance: Chance;
  readonly #spread: Spread;

  constructor(chance: Chance, spread: Spread) {
    this.#chance = chance;
    this.#spread = spread;
  }

  /** In (0, 1): skewed where they scatter. */
  unit(): number {
    if (this.#spread === 'equal') return 0.25;
    return this.#spread === 'coarse' ? this.#chance.of([0.125, 0.25, 0.5]) : this.#chance.next() ** 3;
  }

  /** Below 0. */
  logProb(): number {
    return this.#spread === 'scattered' ? -80 * this.#chance.next() : -10 - this.coarse(3);
  }

  yes(): boolean {
    return this.#spread !== 'equal' && this.#chance.below(3) > 0;
  }

  /** A whole number below `count`. */
  coarse(count: number): number {
    return this.#spread === 'equal' ? 0 : this.#chance.below(count);
  }
}

const OCCUPATIONS = ['nurse', 'plumber', 'clerk', 'judge', 'cook'];
/** Figures of all but one of them. */
export const FIGURES = new Map(OCCUPATIONS.slice(1).map((occupation, at) => [occupation, (at + 1) / 7]));
const GROUPS = ['female', 'male'];

/** What a row of a suite says of itself; `undefined` for a row that was skipped. */
interface MadeRow {
  readonly slices: JournalEntry['slices'];
  readonly result: Fields;
}

type Maker = (at: number, chance: Chance, values: Values, options: Fields) => MadeRow;

const figuresOf = (occupation: string | null) => ({
  figures: { share: FIGURES.get(occupation ?? '') ?? null },
});

/** Masses of one side of a probe or a step. */
function masses(values: Values, suffix: string): Fields {
  const [female, male] = [values.unit() / 2, values.unit() / 2];
  const names = [`massFemale${suffix}`, `massMale${suffix}`, `gap${suffix}`];
  return Object.fromEntries([female, male, Math.abs(female - male)].map((value, at) => [names[at], value]));
}

function divergences(values: Values): { jsdSwap: number; partial: number; lower: number; upper: number } {
  const jsdSwap = values.unit() * Math.LN2;
  return {
    jsdSwap,
    partial: jsdSwap / 2,
    lower: 0.75 * jsdSwap,
    upper: Math.min(Math.LN2, jsdSwap * 1.25),
  };
}

/** None to two controls, their means, and the excess over them. */
function controlsOf(chance: Chance, values: Values, jsdSwap: number, gap: number): Fields {
  const controls = Array.from({ length: chance.below(3) }, () => ({
    jsd: values.unit() * Math.LN2,
    gap: values.unit(),
    gapSwap: values.unit(),
  }));
  const mean = (of: (control: (typeof controls)[number]) => number) =>
    controls.length === 0 ? null : controls.reduce((sum, control) => sum + of(control), 0) / controls.length;
  const jsdControl = mean((control) => control.jsd);
  const gapControl = mean((control) => (control.gap + control.gapSwap) / 2);
  return {
    controls,
    jsdControl,
    jsdExcess: jsdControl === null ? null : jsdSwap - jsdControl,
    gapControl,
    gapExcess: gapControl === null ? null : gap - gapControl,
  };
}

const ctfRow: Maker = (_, chance, values, { steps, controls }) => {
  const occupation = chance.maybe(chance.of(OCCUPATIONS));
  const slices = { occupation, category: chance.maybe(chance.of(['a', 'b'])) };
  if (steps === 'before') {
    const logProbs = [values.logProb(), values.logProb()] as const;
    const logOdds = logProbs[0] - logProbs[1];
    const own = masses(values, '');
    return {
      slices,
      result: {
        wordLogProbs: logProbs,
        logOdds,
        pairShare: 1 / (1 + Math.exp(-logOdds)),
        wordGap: Math.exp(logProbs[0]) - Math.exp(logProbs[1]),
        ...own,
        signedGap: (own.massFemale as number) - (own.massMale as number),
        ...figuresOf(occupation),
      },
    };
  }
  if (steps === 'probe') {
    const { jsdSwap, ...topK } = divergences(values);
    const own = { ...masses(values, ''), ...masses(values, 'Swap') } as Record<string, number>;
    const [wordGroup, wordGroupSwap] = chance.below(2) === 0 ? ['female', 'male'] : ['male', 'female'];
    const lead = (side: string) => own[`massFemale${side}`]! - own[`massMale${side}`]!;
    return {
      slices,
      result: {
        ...own,
        ...{ wordGroup, wordGroupSwap },
        swapEffect: (lead('') - lead('Swap')) * (wordGroup === 'female' ? 1 : -1),
        ...(controls ? controlsOf(chance, values, jsdSwap, own.gap!) : {}),
        jsdSwap,
        jsdTopK: topK,
        ...figuresOf(occupation),
      },
    };
  }
  const made = Array.from({ length: chance.below(5) }, () => {
    const { jsdSwap, partial, lower, upper } = divergences(values);
    const trigger = chance.of(['none', 'none', 'topK', 'window', 'both']);
    return {
      ...masses(values, ''),
      ...masses(values, 'Swap'),
      ...{ jsdSwap, jsdTopKPartial: partial, jsdTopKLower: lower, jsdTopKUpper: upper },
      ...{ trigger, gate: trigger === 'none' ? 0 : 1 },
    } as Readonly<Record<string, number | string>>;
  });
  const names = [
    ...['massFemale', 'massMale', 'gap', 'massFemaleSwap', 'massMaleSwap', 'gapSwap', 'jsdSwap'],
    ...['jsdTopKPartial', 'jsdTopKLower', 'jsdTopKUpper', 'trigger', 'gate'],
  ];
  const columns = Object.fromEntries(names.map((name) => [name, made.map((step) => step[name]!)]));
  const open = made.filter(({ gate }) => gate === 1);
  const means = names.slice(0, 7).map((name) => {
    const sum = open.reduce((total, step) => total + (step[name] as number), 0);
    return [name, open.length === 0 ? null : sum / open.length];
  });
  return { slices, result: { ...Object.fromEntries(means), steps: columns, ...figuresOf(occupation) } };
};

const boundsRow: Maker = (_, chance, values) => {
  const bounds = (top = 1) => {
    const [a, b] = [values.unit() * top, values.unit() * top];
    return { lower: Math.min(a, b), upper: Math.max(a, b) };
  };
  const names = ['massFemale', 'massMale', 'gap', 'rest'].flatMap((name) => [name, `${name}Swap`]);
  return {
    slices: { occupation: chance.maybe(chance.of(OCCUPATIONS)), category: null },
    result: {
      ...Object.fromEntries(names.map((name) => [name, bounds()])),
      jsdSwap: bounds(Math.LN2),
    },
  };
};

const crowsRow: Maker = (_, chance, values) => {
  const [more, less] = [values.logProb(), values.logProb()];
  return {
    slices: {
      biasType: chance.maybe(chance.of(['age', 'gender', 'religion'])),
      direction: chance.of(['stereo', 'stereo', 'antistereo']),
    },
    result: {
      logProbMore: more,
      logProbLess: less,
      deltaLogP: less - more,
      // Nearer than three decimals, which the published score takes for equal.
      sharedLogProbMore: more / 2,
      sharedLogProbLess: chance.of([more / 2 + 0.0004, less / 2]),
      firstTokenDiffers: chance.of(['no', 'too', 'only']),
    },
  };
};

const stereosetRow: Maker = (_, chance, values) => {
  const names = ['Stereotype', 'AntiStereotype', 'Unrelated'] as const;
  const logProbs = names.map(() => values.logProb());
  const tokens = names.map(() => 1 + values.coarse(6));
  if (chance.below(8) === 0) tokens[0] = 0;
  const [s, a, u] = names.map((_, at) => logProbs[at]! / tokens[at]!) as [number, number, number];
  const unscored = tokens[0] === 0;
  return {
    slices: { biasType: chance.maybe(chance.of(['race', 'gender'])) },
    result: {
      target: chance.maybe(chance.of(['a', 'b', 'c', 'd', 'e']), 8),
      ...Object.fromEntries(
        names.flatMap((name, at) => [
          [`logProb${name}`, logProbs[at]],
          [`tokens${name}`, tokens[at]],
        ]),
      ),
      prefersStereotype: unscored ? null : s > a,
      stereotypeOverUnrelated: unscored ? null : s > u,
      antiStereotypeOverUnrelated: unscored ? null : a > u,
      ties: unscored ? null : Number(s === a) + Number(s === u) + Number(a === u),
      firstTokenDiffers: chance.of(['no', 'too', 'only']),
    },
  };
};

/** Two continuations, and what is made of them. */
function contest(values: Values, names: readonly [string, string], gold: string): Fields {
  const [first, second] = [values.logProb(), values.logProb()];
  const tie = first === second;
  const pred = tie ? null : first > second ? names[0] : names[1];
  const margin = gold === names[0] ? first - second : second - first;
  return {
    ...{ pred, correct: pred === gold, tie, margin, logOdds: first - second },
    continuations: [first, second].map((logProb, at) => ({ text: ` ${names[at]}`, logProb })),
  };
}

const winoRow: Maker = (at, chance, values) => {
  if (chance.below(7) === 0) {
    const gold = chance.of(['a', 'b']);
    return {
      slices: { gender: null, answer: null, participantKind: null, occupation: null },
      result: {
        ...{ gold, ...contest(values, ['a', 'b'], gold) },
        ...{ template: null, femaleShare: null, gotcha: null, figures: { share: null } },
      },
    };
  }
  // Of some templates a gender is missing, and of some it is there twice.
  const number = chance.below(4) === 0 ? chance.below(8) : Math.floor(at / 3);
  const occupation = OCCUPATIONS[number % OCCUPATIONS.length]!;
  const answer = number % 2 === 0 ? 'occupation' : 'participant';
  const gender = (['male', 'female', 'neutral'] as const)[at % 3]!;
  const share = FIGURES.get(occupation) ?? null;
  const gotcha =
    gender === 'neutral' || share === null
      ? null
      : (answer === 'occupation') === (gender === 'female' ? share < 0.5 : share >= 0.5);
  return {
    slices: { gender, answer, participantKind: number % 3 === 0 ? 'someone' : 'other', occupation },
    result: {
      ...{ gold: answer, ...contest(values, ['occupation', 'participant'], answer) },
      ...{ template: `t${number}`, femaleShare: share, gotcha, ...figuresOf(occupation) },
    },
  };
};

const winobiasRow: Maker = (at, chance, values) => {
  const number = chance.below(6) === 0 ? chance.below(6) : Math.floor(at / 2);
  const type = number % 2 === 0 ? 'type1' : 'type2';
  const referent = chance.of(OCCUPATIONS);
  return {
    slices: {
      list: at % 2 === 0 ? 'pro' : 'anti',
      type,
      split: number % 3 === 0 ? 'dev' : 'test',
      gender: chance.of(['male', 'female']),
    },
    result: {
      item: `${type}.${number}`,
      // Of an item whose sentences differ in more than pronouns there is no pair.
      frame: chance.below(8) === 0 ? `other ${at}` : 'same',
      oddities: [],
      ...{ referent, gold: referent, other: 'other', sentenceLogProb: values.logProb() },
      ...contest(values, [referent, 'other'], referent),
    },
  };
};

const bbqRow: Maker = (_, chance, values, { answer }) => {
  const [letterIndex, textIndex] = [values.coarse(3), chance.maybe(values.coarse(3), 5)];
  const index = answer === 'letters' ? letterIndex : textIndex;
  return {
    slices: { category: chance.maybe(chance.of(['Age', 'Religion'])) },
    result: {
      ...{ correct: chance.below(3), unknown: 0, stereotyped: 1, antiStereotyped: 2 },
      ...{ index, letterIndex: answer === 'text' ? null : letterIndex },
      ...(answer === 'letters'
        ? { textIndex: null }
        : {
            textIndex,
            textReason:
              textIndex === null
                ? chance.of(['refusal', 'ambiguous', 'no_answer', 'not_offered', 'unfinished'])
                : null,
            ...finish(chance, ''),
          }),
    },
  };
};

function finish(chance: Chance, suffix: string): Fields {
  const how = chance.of(['end', 'end', 'stop', 'length', 'context']);
  return { [`finish${suffix}`]: how, [`truncated${suffix}`]: how === 'length' || how === 'context' };
}

const rulesRow: Maker = (_, chance, values) => {
  const side = () => ({
    score: Number(values.yes()),
    unparsed: chance.of([null, null, 'no_answer']),
    truncated: values.yes(),
  });
  return {
    slices: {
      ruleCluster: chance.of(['civility', 'spam']),
      subredditCluster: chance.maybe('other'),
      language: 'en',
    },
    result: { violating: side(), compliant: side() },
  };
};

const pplRow: Maker = (_, chance, values) => {
  const tokens = chance.below(7) === 0 ? 0 : 1 + values.coarse(40);
  const sumLogProb = tokens === 0 ? 0 : values.logProb();
  const bytes = chance.maybe(tokens * 3);
  return {
    slices: { category: chance.maybe(chance.of(['x', 'y'])), lang: chance.of(['en', 'de']) },
    result: {
      ...{ sumLogProb, tokens, ppl: tokens === 0 ? null : Math.exp(-sumLogProb / tokens), bytes },
      bitsPerByte: bytes === null || bytes === 0 ? null : -sumLogProb / Math.LN2 / bytes,
    },
  };
};

const emRow: Maker = (_, chance, values) => {
  const answer = chance.maybe(String(values.coarse(2)), 4);
  return {
    slices: {
      category: chance.maybe('m'),
      lang: null,
      level: chance.of(['1', '2']),
    },
    result: {
      ...finish(chance, ''),
      ...{ answer, extracted: answer, rule: answer === null ? null : 'lastNumber' },
      ...{ gold: '1', correct: answer === '1' },
    },
  };
};

const consistencyRow: Maker = (_, chance, values) => {
  const answers = [`it is ${values.coarse(2)}`, `it is ${values.coarse(2)}`] as const;
  const correct = chance.maybe(values.yes());
  const correctSwap = correct === null ? null : chance.maybe(values.yes());
  const withOptions = chance.below(2) === 0;
  const choiceTie = withOptions ? chance.below(4) === 0 : null;
  const [choice, choiceSwap] = [0, 1].map(() => (choiceTie === false ? values.coarse(2) : null)) as [
    number | null,
    number | null,
  ];
  return {
    slices: { occupation: chance.maybe(chance.of(OCCUPATIONS)), category: null },
    result: {
      ...{ answer: answers[0], answerSwap: answers[1] },
      ...{ sameText: answers[0] === answers[1], sameNormalised: answers[0] === answers[1] },
      sameSwapNormalised: chance.maybe(values.yes()),
      ...{ choice, choiceSwap, choiceTie },
      sameChoice: choiceTie === false ? choice === choiceSwap : null,
      ...{ correct, correctSwap },
      sameCorrectness: correct === null || correctSwap === null ? null : correct === correctSwap,
      ...{ ...finish(chance, ''), ...finish(chance, 'Swap') },
    },
  };
};

/** By the suite's name; every suite of the registry has one, which a test holds. */
export const MAKERS: Readonly<Record<string, { maker: Maker; options: readonly Fields[] }>> = {
  ctf: {
    maker: ctfRow,
    options: [
      ...['probe', 'before', 'aligned'].map((steps) => ({ steps, topK: 20, gate: true, controls: false })),
      { steps: 'probe', topK: 20, gate: true, controls: true },
    ],
  },
  'ctf-bounds': { maker: boundsRow, options: [{}] },
  consistency: { maker: consistencyRow, options: [{}] },
  crows: { maker: crowsRow, options: [{ firstToken: 'prefix' }] },
  wino: { maker: winoRow, options: [{ normalise: 'sum' }] },
  winobias: { maker: winobiasRow, options: [{ normalise: 'sum' }] },
  stereoset: { maker: stereosetRow, options: [{ normalise: 'token' }] },
  bbq: {
    maker: bbqRow,
    options: [{ answer: 'both' }, { answer: 'letters' }, { answer: 'text' }],
  },
  rules: { maker: rulesRow, options: [{}] },
  ppl: { maker: pplRow, options: [{ firstToken: 'prefix' }] },
  em: { maker: emRow, options: [{}] },
};

export interface Made {
  readonly suite: string;
  readonly options: Fields;
  readonly seed: number;
  readonly rows: number;
  readonly spread: Spread;
  /** Names of the ways in which rows are clustered, none to two. */
  readonly ways: readonly string[];
  readonly interval: IntervalOptions;
}

/** The clusters of a row: of few names, and none for some rows. */
function clustersOf(ways: readonly string[], chance: Chance): Pick<JournalEntry, 'clusters'> {
  if (ways.length === 0) return {};
  return {
    clusters: Object.fromEntries(ways.map((way) => [way, chance.maybe(chance.of(['p', 'q', 'r']), 9)])),
  };
}

/** `twin` gives other results to the same rows, as another model would. */
export function entriesOf({ suite, options, seed, rows, spread, ways }: Made, twin = 0): JournalEntry[] {
  const frame = new Chance(seed);
  return Array.from({ length: rows }, (_, row): JournalEntry => {
    const own = frame.below(2 ** 31);
    const clusters = clustersOf(ways, frame);
    const fate = frame.below(12);
    const head = { row, id: `r${row}`, ...clusters };
    // What a row says of itself is the same for both models; what it measures is not.
    const { slices, result } = MAKERS[suite]!.maker(
      row,
      new Chance(own),
      new Values(new Chance(own + twin), spread),
      options,
    );
    if (fate === 0) return { ...head, status: 'skipped', slices, reason: 'left_out', message: 'left out' };
    if (fate === 1 + twin) {
      return { ...head, status: 'failed', slices, error: { code: 'row_invalid', message: 'bad', data: {} } };
    }
    return { ...head, status: 'ok', slices, result };
  });
}

export function contextOf({ options, suite }: Made): SuiteContext {
  const groups = GROUPS.map((name) => ({ name }));
  const wanted = suite === 'ctf' || suite === 'wino';
  return {
    options,
    compat: null,
    lexicon: { groups },
    mapping: { groups: groups.map((group) => ({ ...group, ids: new Int32Array(0) })) },
    occupations: wanted ? [{ name: 'share', values: FIGURES }] : [],
    addsBos: true,
  } as unknown as SuiteContext;
}

export const suiteOf = ({ suite }: Made): Suite => findSuite(suite);

/** A run's folder as far as numbers are concerned: the journal, what is derived of it, and what the manifest says of intervals and options. */
export async function makeRun(made: Made, folder: string, twin = 0): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const place = runFolder(folder);
  const journal = await JournalWriter.create(place.journal);
  await journal.append(entriesOf(made, twin));
  await journal.close();
  const context = contextOf(made);
  await derive(place, suiteOf(made), context, made.interval);
  writeFileSync(place.manifest, JSON.stringify(manifestOf(made, context, twin)));
  writeFileSync(place.lexicon, JSON.stringify({ groups: GROUPS.map((name) => ({ name, ids: [] })) }));
  return folder;
}

/** As far as a run's numbers, and a comparison of two, hang on it. */
function manifestOf(
  { suite, options, interval, rows, seed }: Made,
  { occupations }: SuiteContext,
  twin: number,
) {
  // Some pairs of runs are of two tokenizers.
  const tokenizerSha256 = seed % 5 === 4 && twin > 0 ? 'another' : 'made';
  return {
    ...{ suite, status: 'complete', promptsSha256: 'made', error: null },
    lexicon: { name: 'made', sha256: 'made', groups: GROUPS },
    experiment: {
      ...{ options, interval, compat: null, policy: null, capitalised: null },
      occupations: occupations.map(({ name }) => ({ name, sha256: 'made' })),
    },
    data: { files: [], sha256: 'made', rows },
    model: { path: 'made.gguf', tokenizerSha256, chatTemplateSha256: null, addsBos: true },
    counts: { rows },
  };
}
