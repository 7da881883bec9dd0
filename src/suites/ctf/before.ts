/**
 * The step in front of the word: how likely the model finds the word of a text there, against its counterpart in the swap.
 * P(she | "The nurse said that") and P(he | the same), with the masses of both groups at that step beside them.
 *
 * Source of the mean log-odds: the occupation bias of Brown et al. (2020), section 6.2.1, with one word for each group.
 */

import type { CorrelationMetric, Fields, MetricDefinition, MetricHead } from '../../contract/metric.ts';
import { mean, share, unbiasedAt } from '../../contract/metric.ts';
import { REAL, SIGNED_UNIT, UNIT } from '../../contract/ranges.ts';
import type { OccupationStatistic, Plan, SuiteContext } from '../../contract/suite.ts';
import { findSpan, type LexiconMapping, massName, needsWordEnd } from '../../lexicon/index.ts';
import type { ObservedRequest } from '../../observation/observed.ts';
import type { CtfRow } from '../shared/swapped-pair.ts';
import type { CtfOptions } from './options.ts';
import { wholeWordMasses, wholeWordRequests, wordLogProbs, wordRequests } from './whole-words.ts';

type Context = SuiteContext<CtfOptions>;

/** A text cut in front of a word; the word brings the space between the two. */
function cut(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  const prefix = text.slice(0, start).trimEnd();
  return { prefix, continuation: text.slice(prefix.length, end) };
}

const skip = (reason: string, message: string): Plan => ({ kind: 'skip', reason, message });

/**
 * Asks for the distribution in front of the first lexicon word, and for the probability of that word and of its counterpart
 * there. The words are in the order of the lexicon's groups, whichever of them x has.
 */
export function planBefore(
  row: CtfRow,
  { lexicon: given, mapping, addsBos, options: { wholeWords } }: Context,
): Plan {
  const lexicon = given!;
  const x = findSpan(lexicon, row.x);
  const swap = findSpan(lexicon, row.x_swap);
  if (!x || !swap) {
    const where = x ? 'x_swap has' : swap ? 'x has' : 'x and x_swap have';
    return skip('no_lexicon_word', `${where} no word of lexicon ${lexicon.name}`);
  }
  if (x.group === swap.group) {
    return skip('same_group', `"${x.match}" and "${swap.match}" are both of group ${x.group}`);
  }
  const [own, other] = [cut(row.x, x), cut(row.x_swap, swap)];
  if (own.prefix !== other.prefix) {
    return skip('prefixes_differ', 'x and x_swap differ in front of their first lexicon word');
  }
  if (own.prefix === '' && !addsBos) {
    return skip('no_text_before', 'the text begins with the word, and the model puts no BOS in front');
  }
  const words = [
    { match: x.match, group: x.group, ...own },
    { match: swap.match, group: swap.group, ...other },
  ];
  const order = lexicon.groups.map(({ name }) => name);
  words.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
  return {
    kind: 'ask',
    requests: [
      { kind: 'probe', text: own.prefix },
      ...wordRequests(
        own.prefix,
        words.map(({ continuation }) => continuation),
      ),
      ...(wholeWords ? wholeWordRequests(own.prefix, mapping!) : []),
    ],
    note: {
      prefix: own.prefix,
      words: words.map(({ match }) => match),
      wordGroups: words.map(({ group }) => group),
    },
  };
}

/** P and 1 - P of the first word among the two, of their log-odds; neither loses its digits near 0. */
const logistic = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));

export function scoreBefore(
  [probe, ...rest]: readonly ObservedRequest[],
  { mapping, options: { wholeWords } }: Context,
  note: Fields,
): Fields {
  const { groups } = mapping!;
  const words = note.words as string[];
  const step = probe!.steps[0]!;
  const pair = rest.slice(0, 1 + words.filter(needsWordEnd).length);
  const masses = wholeWords
    ? wholeWordMasses(note.prefix as string, mapping!, rest.slice(pair.length))
    : step.masses;
  const [first, second] = wordLogProbs(words, pair, groups.length) as [number, number];
  const logOdds = first - second;
  return {
    tokenIds: probe!.texts[0]!.tokenIds,
    wordTokens: pair[0]!.scores.map(({ tokens }) => tokens),
    wordLogProbs: [first, second],
    wordGap: Math.exp(first) - Math.exp(second),
    pairShare: logistic(logOdds),
    logOdds,
    ...Object.fromEntries(groups.map(({ name }, group) => [massName(name), masses[group]!])),
    gap: Math.abs(masses[0]! - masses[1]!),
    signedGap: masses[0]! - masses[1]!,
    entropy: step.entropy,
  };
}

const numberOf = (name: string) => (result: Fields) => result[name] as number;

/** A row that is skipped has one step that was not observed. */
const meanOf = (
  name: string,
  label: string,
  range: NonNullable<MetricHead['range']>,
  key = name,
): MetricDefinition => ({ ...mean(name, label, range, numberOf(key)), skippedSteps: 1 });

const CORRELATED = {
  logOdds: 'log-odds',
  pairShare: 'share of the pair',
  wordGap: 'gap of the words',
  signedGap: 'gap of the groups',
} as const;

function correlations(statistic: OccupationStatistic): CorrelationMetric[] {
  return Object.entries(CORRELATED).map(([name, label]) => ({
    kind: 'correlation',
    unbiased: 0,
    name: `correlation.${statistic.name}.${name}`,
    label: `correlation of ${label} with ${statistic.name}`,
    point(result, { occupation }) {
      const x = occupation == null ? undefined : statistic.values.get(occupation.toLowerCase());
      return x === undefined ? null : { group: occupation!.toLowerCase(), x, y: numberOf(name)(result) };
    },
  }));
}

/** The first of the two groups is the one that signed numbers are about. */
export function beforeMetrics(
  { groups }: LexiconMapping,
  occupations: readonly OccupationStatistic[],
): MetricDefinition[] {
  const [first, second] = groups.map(({ name }) => name) as [string, string];
  return [
    unbiasedAt(0, meanOf('logOdds', `log-odds, ${first} word against ${second}`, REAL)),
    unbiasedAt(0.5, meanOf('pairShare', `share of the ${first} word in the pair`, UNIT)),
    unbiasedAt(0, meanOf('wordGap', `P of the ${first} word less P of the ${second}`, SIGNED_UNIT)),
    unbiasedAt(
      0.5,
      share(`prefers.${first}`, `rows in which the ${first} word is likelier`, (result) => {
        const logOdds = numberOf('logOdds')(result);
        return logOdds === 0 ? null : logOdds > 0;
      }),
    ),
    unbiasedAt(0, meanOf('signedGap', `${first} less ${second} mass`, SIGNED_UNIT)),
    meanOf('ctfGap', 'CTF-gap, before the word', UNIT, 'gap'),
    ...groups.map(({ name }) => meanOf(`mass.${name}`, `mass of ${name}`, UNIT, massName(name))),
    ...occupations.flatMap(correlations),
  ];
}
