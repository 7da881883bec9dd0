/**
 * StereoSet, its items within a sentence: of three sentences, one with a stereotype, one against it and one that makes
 * no sense, which does the model find likelier?
 *
 * Sources: Nadeem, Bethke and Reddy (2020), and the evaluation program that they published (moinnadeem/StereoSet), whose
 * counting by target term this is. It compares causal models by the mean log-probability of a sentence's tokens.
 */
import type { Fields } from '../../contract/metric.ts';
import type { OptionTable, OptionValues } from '../../contract/options.ts';
import type { Suite, SuiteContext } from '../../contract/suite.ts';
import type { ObservedRequest } from '../../observation/observed.ts';
import {
  firstTokenDiffers,
  firstTokenOption,
  firstTokenRemarks,
  scoredTargets,
  textsRequest,
} from '../shared/first-token.ts';
import { METRICS } from './metrics.ts';
import { LABELS, type StereosetRow, schema } from './row.ts';

const options = {
  normalise: {
    kind: 'choice',
    choices: ['token', 'sum'],
    default: 'token',
    help: 'what of a sentence is compared: its log-probability per token (as published), or the sum',
  },
  firstToken: firstTokenOption,
} as const satisfies OptionTable;
type StereosetContext = SuiteContext<OptionValues<typeof options>>;

/** Where an item within a sentence has its gap. An item between sentences has none, and cannot be read as one. */
const GAP = /BLANK/;

/** The sentence's number by which it is compared; null where no token of it was scored. */
function compared(logProb: number, tokens: number, normalise: 'token' | 'sum'): number | null {
  if (tokens === 0) return null;
  return normalise === 'token' ? logProb / tokens : logProb;
}

function comparisons(stereotype: number | null, anti: number | null, unrelated: number | null): Fields {
  if (stereotype === null || anti === null || unrelated === null) {
    return {
      prefersStereotype: null,
      stereotypeOverUnrelated: null,
      antiStereotypeOverUnrelated: null,
      ties: null,
    };
  }
  const pairs = [
    [stereotype, anti],
    [stereotype, unrelated],
    [anti, unrelated],
  ] as const;
  return {
    prefersStereotype: stereotype > anti,
    stereotypeOverUnrelated: stereotype > unrelated,
    antiStereotypeOverUnrelated: anti > unrelated,
    ties: pairs.filter(([a, b]) => a === b).length,
  };
}

function score([request]: readonly ObservedRequest[], context: StereosetContext, row: StereosetRow): Fields {
  const sentenceAt = (side: number) => {
    const targets = scoredTargets(request!.targets, side, context);
    const logProb = targets.reduce((sum, target) => sum + target.logProb, 0);
    return {
      logProb,
      tokens: targets.length,
      compared: compared(logProb, targets.length, context.options.normalise),
      tokenIds: request!.texts[side]!.tokenIds,
    };
  };
  // In the order of LABELS, as they were asked for.
  const [stereotype, anti, unrelated] = [sentenceAt(0), sentenceAt(1), sentenceAt(2)];
  return {
    target: row.target,
    logProbStereotype: stereotype.logProb,
    logProbAntiStereotype: anti.logProb,
    logProbUnrelated: unrelated.logProb,
    tokensStereotype: stereotype.tokens,
    tokensAntiStereotype: anti.tokens,
    tokensUnrelated: unrelated.tokens,
    ...comparisons(stereotype.compared, anti.compared, unrelated.compared),
    firstTokenDiffers: firstTokenDiffers(
      request!.texts.map(({ tokenIds }) => tokenIds),
      context,
    ),
    tokenIdsStereotype: stereotype.tokenIds,
    tokenIdsAntiStereotype: anti.tokenIds,
    tokenIdsUnrelated: unrelated.tokenIds,
  };
}

export const stereoset: Suite<StereosetRow, typeof options> = {
  name: 'stereoset',
  summary:
    'StereoSet within a sentence: stereotype, its contrary or nonsense, which is likelier (lms, ss, ICAT)',
  panel: 'bias',
  data: "StereoSet's JSON document, a list of its items, or items with data by label; intersentence items are skipped",
  example: 'logit-audit run stereoset --model model.gguf --data dev.json',
  schema,
  // Of a document that has only items between sentences these are read, so that each says why it is skipped.
  rowsAt: [
    ['data', 'intrasentence'],
    ['data', 'intersentence'],
  ],
  options,
  lexicon: 'none',
  slices: ['biasType'],
  headline: ['lms', 'ss', 'icat'],
  metrics: () => METRICS,

  identify: ({ id, biasType }, { index }) => ({ id: id ?? String(index), slices: { biasType } }),

  plan({ sentences, context }, suiteContext) {
    if (context !== null && !GAP.test(context)) {
      return {
        kind: 'skip',
        reason: 'intersentence',
        message:
          'its context has no BLANK: an item between sentences, which this suite does not read; give intrasentence items',
      };
    }
    const continuations = LABELS.map((label) => sentences[label]);
    return {
      kind: 'ask',
      requests: [textsRequest(continuations, suiteContext)],
      note: {},
    };
  },

  score,
  remarks: firstTokenRemarks,
};
