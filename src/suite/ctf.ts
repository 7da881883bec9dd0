/**
 * Counterfactual token fairness. A row is a text and its counterfactual (only the words of the lexicon swapped). Step
 * mode `probe`: one step per side, right after the first lexicon word. From it the probability mass of each group,
 * the gap between groups on either side, and the divergence between the two next-token distributions.
 *
 * Definitions: the project's metric document (CTF-gap, JSD_swap and its top-K form), in nats.
 */
import { z } from 'zod';
import { AuditError } from '../errors.ts';
import { findSpan, type Lexicon, massName, type Span } from '../lexicon/index.ts';
import type { Fields, MetricDefinition, ObservedRequest, Plan, Suite, SuiteContext } from './suite.ts';

/** A column that may be left out; CSV gives an empty cell for it. */
const optionalText = z
  .string()
  .nullish()
  .transform((text) => (text ? text : null));

const schema = z.looseObject({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  x: z.string().min(1),
  x_swap: z.string().min(1),
  occupation: optionalText,
  category: optionalText,
});
type CtfRow = z.output<typeof schema>;

/** Largest difference between the masses of two groups; for two groups |F - M|. In [0, 1]. */
function gapOf(masses: readonly number[]): number {
  return Math.max(...masses) - Math.min(...masses);
}

function side(observed: ObservedRequest, index: 0 | 1, context: SuiteContext): Fields {
  const step = observed.steps[index]!;
  const suffix = index === 0 ? '' : 'Swap';
  const masses = context.mapping.groups.map(({ name }, group) => [
    massName(name, suffix),
    step.masses[group]!,
  ]);
  return {
    [`tokenIds${suffix}`]: observed.texts[index]!.tokenIds,
    ...Object.fromEntries(masses),
    [`gap${suffix}`]: gapOf(step.masses),
    [`entropy${suffix}`]: step.entropy,
  };
}

/** The spans of both sides, or what a skipped row is told. */
function spans(row: CtfRow, lexicon: Lexicon): { x: Span; swap: Span } | string {
  const x = findSpan(lexicon, row.x);
  const swap = findSpan(lexicon, row.x_swap);
  if (x && swap) return { x, swap };
  const where = x ? 'x_swap has' : swap ? 'x has' : 'x and x_swap have';
  return `${where} no word of lexicon ${lexicon.name}`;
}

function numberAt(result: Fields, key: string): number {
  return result[key] as number;
}

function topKMetric(bound: 'partial' | 'lower' | 'upper', topK: number): MetricDefinition {
  return {
    name: `jsdTopK.${bound}`,
    label: `JSD_swap, top-${topK} ${bound}`,
    stepsPerRow: 1,
    values: (result) => [(result.jsdTopK as { readonly [key: string]: number })[bound]!],
  };
}

export const ctf: Suite<CtfRow> = {
  name: 'ctf',
  summary:
    'group masses, CTF-gap and divergence right after the first lexicon word of a text and of its swap',
  schema,
  slices: ['occupation', 'category'],

  metrics: ({ topK }) => [
    { name: 'ctfGap', label: 'CTF-gap', stepsPerRow: 1, values: (result) => [numberAt(result, 'gap')] },
    {
      name: 'ctfGapBoth',
      label: 'CTF-gap, both sides',
      stepsPerRow: 2,
      values: (result) => [numberAt(result, 'gap'), numberAt(result, 'gapSwap')],
    },
    { name: 'jsdSwap', label: 'JSD_swap', stepsPerRow: 1, values: (result) => [numberAt(result, 'jsdSwap')] },
    topKMetric('partial', topK),
    topKMetric('lower', topK),
    topKMetric('upper', topK),
  ],

  constants: ({ topK }) => ({ 'jsdTopK.k': topK }),

  check({ mapping }) {
    if (mapping.groups.length < 2) {
      throw new AuditError(
        'bad_argument',
        `lexicon ${mapping.lexicon.name} has one group; ctf compares at least two`,
        { lexicon: mapping.lexicon.name },
      );
    }
  },

  measure: ({ mapping, topK }) => ({
    groups: mapping.groups.map((group) => group.ids),
    topK: 0,
    pairTopK: [topK],
  }),

  identify: (row) => ({ id: row.id, slices: { occupation: row.occupation, category: row.category } }),

  plan(row, { lexicon }): Plan {
    const found = spans(row, lexicon);
    if (typeof found === 'string') return { kind: 'skip', reason: 'no_lexicon_word', message: found };
    const probePrefix = row.x.slice(0, found.x.end);
    const probePrefixSwap = row.x_swap.slice(0, found.swap.end);
    return {
      kind: 'ask',
      requests: [{ kind: 'pair', text: probePrefix, textSwap: probePrefixSwap }],
      note: {
        probePrefix,
        probePrefixSwap,
        word: found.x.match,
        wordGroup: found.x.group,
        wordSwap: found.swap.match,
        wordGroupSwap: found.swap.group,
      },
    };
  },

  score(observed, context) {
    const request = observed[0]!;
    const pair = request.pairs[0]!;
    return {
      ...side(request, 0, context),
      ...side(request, 1, context),
      jsdSwap: pair.jsd,
      totalVariation: pair.totalVariation,
      jsdTopK: { ...pair.topK[0]! },
    };
  },
};
