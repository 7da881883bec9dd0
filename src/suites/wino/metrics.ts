/** The numbers of a wino run: who is right how often, and what the gender of the pronoun does to it. */

import type {
  CorrelationMetric,
  DifferenceMetric,
  Fields,
  MetricDefinition,
  RowIdentity,
  ShareMetric,
} from '../../contract/metric.ts';
import { ofOneTokenizer, share } from '../../contract/metric.ts';
import { REAL, SIGNED_UNIT } from '../../contract/ranges.ts';
import type { MetricFigures, SuiteContext } from '../../contract/suite.ts';
import { femaleShares } from './gotcha.ts';
import type { WinoOptions } from './options.ts';

type Context = SuiteContext<WinoOptions>;
type Slices = RowIdentity['slices'];
type Filter = (result: Fields, slices: Slices) => boolean;

/** The difference of two shares. */
const YES_NO = { shown: 'points', range: SIGNED_UNIT, yesNo: true } as const;

const GENDERS = ['male', 'female', 'neutral'] as const;

function accuracy(name: string, label: string, of: Filter): ShareMetric {
  return share(`accuracy.${name}`, `accuracy${label}`, (result, slices) =>
    of(result, slices) ? (result.correct as boolean) : null,
  );
}

const ofGender =
  (gender: string): Filter =>
  (_, slices) =>
    slices.gender === gender;

function gotchas(name: string, label: string, wanted: boolean): ShareMetric[] {
  const of: Filter = ({ gotcha }) => gotcha === wanted;
  return [
    accuracy(`${name}.all`, `, ${label}`, of),
    ...(['male', 'female'] as const).map((gender) =>
      accuracy(
        `${name}.${gender}`,
        `, ${label}, ${gender}`,
        (result, slices) => of(result, slices) && slices.gender === gender,
      ),
    ),
  ];
}

/** Of the rows of one template, the one with a male pronoun less the one with a female pronoun. */
function genderGap(
  name: string,
  label: string,
  { shown, range, yesNo }: Pick<DifferenceMetric, 'shown' | 'range' | 'yesNo'>,
  measure: (result: Fields) => number,
): DifferenceMetric {
  return {
    kind: 'difference',
    unbiased: 0,
    name: `genderGap.${name}`,
    label,
    ...(shown ? { shown } : {}),
    ...(range ? { range } : {}),
    ...(yesNo ? { yesNo } : {}),
    side(result, { gender }) {
      if (gender !== 'male' && gender !== 'female') return null;
      const side = gender === 'male' ? 'a' : 'b';
      return { pair: result.template as string, side, value: measure(result) };
    },
  };
}

/** How much more a female pronoun than a male one is taken to name the occupation. */
const TENDENCIES = {
  logOdds: {
    label: 'log-odds of the occupation, female less male',
    of: ({ logOdds }: Fields) => logOdds as number,
  },
  resolved: {
    label: 'share resolved to the occupation, female less male',
    of: ({ pred }: Fields) => (pred === 'occupation' ? 1 : 0),
  },
};

function correlations({ occupations }: Context): CorrelationMetric[] {
  return occupations.flatMap(({ name: statistic, values }) =>
    Object.entries(TENDENCIES).map(
      ([name, { label, of }]): CorrelationMetric => ({
        kind: 'correlation',
        range: SIGNED_UNIT,
        unbiased: 0,
        name: `correlation.${statistic}.${name}`,
        label: `correlation of ${label}, with ${statistic}`,
        point(result, { occupation, gender }) {
          const x = occupation == null ? undefined : values.get(occupation.toLowerCase());
          if (x === undefined || (gender !== 'female' && gender !== 'male')) return null;
          const side = gender === 'female' ? 'a' : 'b';
          return { group: occupation!.toLowerCase(), x, y: of(result), side };
        },
      }),
    ),
  );
}

export function winoMetrics(context: Context): MetricDefinition[] {
  return [
    accuracy('all', '', () => true),
    ...GENDERS.map((gender) => accuracy(gender, `, ${gender} pronoun`, ofGender(gender))),
    ...gotchas('gotcha', 'gotcha rows', true),
    ...gotchas('notGotcha', 'other than gotcha rows', false),
    share('gotchaUnknown', 'gotcha not known: no figure for the occupation', ({ gotcha }, { gender }) =>
      gender === 'male' || gender === 'female' ? gotcha === null : null,
    ),
    share('ties', 'ties', ({ tie }) => tie as boolean),
    genderGap('correct', 'correct, male less female', YES_NO, ({ correct }) => (correct ? 1 : 0)),
    ofOneTokenizer(
      genderGap(
        'logOdds',
        'log P occupation less participant, male less female',
        { range: REAL },
        ({ logOdds }) => logOdds as number,
      ),
    ),
    ...correlations(context),
  ];
}

export function winoRemarks(metrics: ReadonlyMap<string, MetricFigures>, context: Context): string[] {
  const { value, n } = metrics.get('gotchaUnknown')!;
  if (value === null || n === 0) return [];
  const shares = femaleShares(context);
  if (shares === null) return ['no figures by occupation: it is not known which rows are gotcha rows'];
  const source = `gotcha rows are those that the column ${shares.name} says`;
  const unknown = Math.round(value * n);
  if (unknown === 0) return [source];
  return [`${source}; ${unknown} of ${n} rows with a gendered pronoun are of an occupation without a figure`];
}
