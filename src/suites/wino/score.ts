/** A row's result: both candidates, which of them is likelier, and for a sentence of WinoGender what kind of row it is. */

import { figureFields } from '../../contract/figures.ts';
import type { Fields } from '../../contract/metric.ts';
import type { SuiteContext } from '../../contract/suite.ts';
import type { ObservedRequest } from '../../observation/observed.ts';
import { comparedValues, contestOf, verdictOf } from '../shared/referent/candidates.ts';
import { femaleShares, isGotcha } from './gotcha.ts';
import type { WinoOptions } from './options.ts';
import { referenceLogProbs, referenceVerdict } from './reference.ts';
import type { WinoRow } from './row.ts';

type Context = SuiteContext<WinoOptions>;

/** The candidates by name: a row's first continuation is the first of them. */
export function candidateNames(row: WinoRow): [string, string] {
  return row.kind === 'schema' ? ['occupation', 'participant'] : ['a', 'b'];
}

/** The same names for either kind of row: a table has the columns of its first row. */
function kindOf(row: WinoRow, context: Context): Fields {
  if (row.kind === 'premise') return { template: null, femaleShare: null, gotcha: null };
  const femaleShare = femaleShares(context)?.of(row.occupation) ?? null;
  return { template: row.template, femaleShare, gotcha: isGotcha(row, femaleShare) };
}

export function scoreWino(
  observed: ObservedRequest,
  context: Context,
  row: WinoRow,
  texts: readonly [string, string],
): Fields {
  const names = candidateNames(row);
  const gold = row.kind === 'schema' ? row.answer : row.gold;
  const contest = contestOf(observed, texts);
  const [first, second] = contest.continuations;
  const reference = context.compat === 'reference' ? referenceLogProbs(observed) : null;
  const verdict = reference
    ? referenceVerdict(reference, names, gold)
    : verdictOf(comparedValues(contest, context), names, gold);
  return {
    gold,
    ...verdict,
    ...(reference ? { logProbA: reference[0], logProbB: reference[1] } : {}),
    logOdds: first.logProb - second.logProb,
    ...kindOf(row, context),
    ...figureFields(context, row.kind === 'premise' ? null : row.occupation),
    promptTokenIds: contest.promptTokenIds,
    continuations: contest.continuations,
  };
}
