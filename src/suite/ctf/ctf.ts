/**
 * Counterfactual token fairness. A row is a text and its counterfactual (only the words of the lexicon swapped). Of
 * the steps that are compared: the probability mass of each group, the gap between groups on either side, and the
 * divergence between the two next-token distributions.
 *
 * Definitions: the project's metric document (CTF-gap, JSD_swap and its top-K form, the gate), in nats.
 */
import { AuditError } from '../../errors.ts';
import type { Plan, Suite, SuiteContext } from '../suite.ts';
import { ctfMetrics, ctfRemarks } from './metrics.ts';
import { type CtfOptions, ctfOptions } from './options.ts';
import { probeOf } from './probe.ts';
import { referenceOfCtf } from './reference.ts';
import { type CtfRow, ctfRow } from './row.ts';
import { scoreProbe, scoreSteps } from './score.ts';

type Context = SuiteContext<CtfOptions>;

export const ctf: Suite<CtfRow, typeof ctfOptions> = {
  name: 'ctf',
  summary: 'group masses, CTF-gap and divergence between a text and its swap',
  panel: 'bias',
  data: 'columns id, x, x_swap, and optionally occupation, category and template (`logit-audit swap` makes x_swap)',
  example: 'logit-audit run ctf --model model.gguf --data pairs.jsonl',
  schema: ctfRow,
  options: ctfOptions,
  lexicon: 'tokens',
  usesOccupations: true,
  slices: ['occupation', 'category'],
  headline: ['ctfGap', 'jsdSwap'],
  metrics: ctfMetrics,
  remarks: ctfRemarks,
  reference: referenceOfCtf,

  constants: ({ options: { topK } }) => ({ 'jsdTopK.k': topK }),

  check({ mapping, options, compat }) {
    if (mapping!.groups.length < 2) {
      const name = mapping!.lexicon.name;
      throw new AuditError('bad_argument', `lexicon ${name} has one group; ctf compares at least two`, {
        lexicon: name,
      });
    }
    if (compat === 'reference' && options.steps !== 'probe') {
      throw new AuditError(
        'bad_argument',
        `the reference project has no steps ${options.steps}; leave out either --compat reference or --steps`,
        { key: 'steps' },
      );
    }
  },

  measure: ({ mapping, options: { topK, steps, gate, gateTopK } }) => ({
    groups: mapping!.groups.map((group) => group.ids),
    topK: steps !== 'probe' && gate ? gateTopK : 0,
    pairTopK: [topK],
  }),

  wantsPieces: ({ options: { steps, gate } }) => steps !== 'probe' && gate,

  identify: ({ id, occupation, category, template }, { index }) => ({
    id: id ?? String(index),
    slices: { occupation, category },
    ...(template === null ? {} : { clusters: { template, occupation } }),
  }),

  plan(row, { lexicon, options: { steps, decodeSteps } }: Context): Plan {
    if (steps !== 'probe') {
      const maxTokens = steps === 'decode' ? { maxTokens: decodeSteps } : {};
      return {
        kind: 'ask',
        requests: [{ kind: 'pair', text: row.x, textSwap: row.x_swap, steps, ...maxTokens }],
        note: {},
      };
    }
    const probe = probeOf(row, lexicon!);
    if (typeof probe === 'string') return { kind: 'skip', reason: 'no_lexicon_word', message: probe };
    const { prefix, prefixSwap, note } = probe;
    return { kind: 'ask', requests: [{ kind: 'pair', text: prefix, textSwap: prefixSwap }], note };
  },

  score: ([request], context) =>
    context.options.steps === 'probe' ? scoreProbe(request!, context) : scoreSteps(request!, context),
};
