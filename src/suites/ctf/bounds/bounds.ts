/**
 * Counterfactual token fairness of a model of which only lists of likely tokens can be had: for every number of ctf's
 * probe the interval in which it lies for certain. A suite of its own, so that no bound is ever taken for a number.
 *
 * Definitions: those of ctf; the proofs of the bounds are in docs/design/bounds.md. A group's tokens are here the tokens
 * whose whole text is a form of one of its words: an endpoint does not tell how it cuts the others.
 */

import type { Fields, MetricDefinition } from '../../../contract/metric.ts';
import { mean, ofOneTokenizer } from '../../../contract/metric.ts';
import type { OptionTable, OptionValues } from '../../../contract/options.ts';
import { JSD, UNIT } from '../../../contract/ranges.ts';
import type { Suite, SuiteContext } from '../../../contract/suite.ts';
import { AuditError } from '../../../errors.ts';
import { massName } from '../../../lexicon/index.ts';
import { type CtfRow, clustersOf, ctfRow } from '../../shared/swapped-pair.ts';
import { probeOf } from '../probe.ts';
import { groupTexts, scoreLists } from './score.ts';

const options = {
  capitalised: {
    kind: 'switch',
    default: true,
    help: 'capitalised forms of the words count too',
  },
} as const satisfies OptionTable;

type Context = SuiteContext<OptionValues<typeof options>>;

const ENDS = ['lower', 'upper'] as const;

/** Both ends of a number, each a metric: the mean of the number over the rows lies between their means. */
function ends(name: string, label: string, keys: readonly string[], range = UNIT): MetricDefinition[] {
  return ENDS.map((end) => ({
    ...mean(`${name}.${end}`, `${label}, ${end} bound`, range, (result) => {
      const values = keys.map((key) => (result[key] as Fields)[end] as number);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    }),
    // As in ctf: a row without a word of the lexicon is a probe that could not be taken, and lowers the coverage.
    skippedSteps: 1,
  }));
}

export const ctfBounds: Suite<CtfRow, typeof options> = {
  name: 'ctf-bounds',
  summary: "certified bounds of ctf's numbers, for API models that list their likeliest tokens",
  panel: 'bias',
  data: 'columns id, x, x_swap, and optionally occupation, category and template (`logit-audit swap` makes x_swap)',
  example:
    'logit-audit run ctf-bounds --model openai:MODEL --api completions --base-url http://127.0.0.1:8000/v1 --data pairs.jsonl',
  schema: ctfRow,
  options,
  lexicon: 'words',
  slices: ['occupation', 'category'],
  headline: ['ctfGap.lower', 'ctfGap.upper', 'jsdSwap.lower', 'jsdSwap.upper'],

  metrics: ({ lexicon }) => [
    ...ends('ctfGap', 'CTF-gap', ['gap']),
    ...ends('ctfGapBoth', 'CTF-gap, both sides', ['gap', 'gapSwap']),
    ...(lexicon?.groups ?? []).flatMap(({ name }) =>
      ends(`mass.${name}`, `mass of ${name}`, [massName(name)]),
    ),
    ...ends('jsdSwap', 'JSD_swap', ['jsdSwap'], JSD).map(ofOneTokenizer),
    ...ends('rest', 'mass that is not listed', ['rest', 'restSwap']).map(ofOneTokenizer),
  ],

  check({ lexicon }) {
    if (lexicon!.groups.length >= 2) return;
    const message = `lexicon ${lexicon!.name} has one group; ctf-bounds compares at least two`;
    throw new AuditError('bad_argument', message, { lexicon: lexicon!.name });
  },

  identify: (row, { index }) => ({
    id: row.id ?? String(index),
    slices: { occupation: row.occupation, category: row.category },
    clusters: clustersOf(row),
  }),

  plan(row, { lexicon }: Context) {
    const probe = probeOf(row, lexicon!);
    if (typeof probe === 'string') return { kind: 'skip', reason: 'no_lexicon_word', message: probe };
    return {
      kind: 'ask',
      requests: [{ kind: 'list', texts: [probe.prefix, probe.prefixSwap] }],
      note: probe.note,
    };
  },

  score([request], { lexicon, options: { capitalised } }: Context) {
    const [x, swap] = request!.lists!;
    return scoreLists([x!, swap!], lexicon!, groupTexts(lexicon!, capitalised));
  },
};
