/**
 * Counterfactual token fairness. A row is a text and its counterfactual (only the words of the lexicon swapped). Of
 * the steps that are compared: the probability mass of each group, the gap between groups on either side, and the
 * divergence between the two next-token distributions.
 *
 * Definitions: the project's metric document (CTF-gap, JSD_swap and its top-K form, the gate), in nats.
 */

import { figureFields } from '../../contract/figures.ts';
import type { Plan, Suite, SuiteContext } from '../../contract/suite.ts';
import { AuditError } from '../../errors.ts';
import type { Lexicon } from '../../lexicon/index.ts';
import { type CtfRow, clustersOf, ctfRow } from '../shared/swapped-pair.ts';
import { beforeMetrics, planBefore, scoreBefore } from './before.ts';
import { controlsOf } from './controls.ts';
import { ctfMetrics, ctfRemarks, referenceOfCtf } from './metrics.ts';
import { type CtfOptions, ctfOptions } from './options.ts';
import { probeOf, type Sides, sideRequests } from './probe.ts';
import { scoreProbe, scoreSteps } from './score.ts';
import { templateRow } from './template.ts';

type Context = SuiteContext<CtfOptions>;

/** Several steps a row have a gate; a single one always counts. */
const severalSteps = (steps: CtfOptions['steps']) => steps === 'aligned' || steps === 'decode';

/** Controls replace a probe's word, and the lexicon has to name them. */
function checkControls({ steps }: CtfOptions, { name, controls }: Lexicon, asReference: boolean): void {
  const fault =
    steps !== 'probe'
      ? `--controls replace the word in front of a probe; leave them out with --steps ${steps}`
      : asReference
        ? 'the reference project has no controls; leave out either --compat reference or --controls'
        : controls.length === 0
          ? `lexicon ${name} has no controls; add them (docs/lexicons.md), or leave out --controls`
          : null;
  if (fault !== null) throw new AuditError('bad_argument', fault, { key: 'controls', lexicon: name });
}

export const ctf: Suite<CtfRow, typeof ctfOptions> = {
  name: 'ctf',
  summary: 'group masses, CTF-gap and divergence between a text and its swap, or the odds of the word itself',
  panel: 'bias',
  data: 'columns x, x_swap, and optionally id, occupation, category and template (`logit-audit swap` makes x_swap); or those that --template names',
  example: 'logit-audit run ctf --model model.gguf --data pairs.jsonl',
  schema: ctfRow,
  schemaWith: ({ template }) => (template === null ? ctfRow : templateRow(template)),
  options: ctfOptions,
  lexicon: 'tokens',
  usesOccupations: true,
  slices: ['occupation', 'category'],
  headline: ['logOdds', 'pairShare', 'ctfGap', 'jsdSwap'],
  metrics: (context) =>
    context.options.steps === 'before'
      ? beforeMetrics(context.mapping!, context.occupations)
      : ctfMetrics(context),
  remarks: ctfRemarks,
  reference: referenceOfCtf,

  constants: ({ options: { topK, steps } }): Record<string, number> =>
    steps === 'before' ? {} : { 'jsdTopK.k': topK },

  check({ lexicon, mapping, options, compat }) {
    if (mapping!.groups.length < 2) {
      const name = mapping!.lexicon.name;
      throw new AuditError('bad_argument', `lexicon ${name} has one group; ctf compares at least two`, {
        lexicon: name,
      });
    }
    if (options.steps === 'before' && mapping!.groups.length > 2) {
      const { name } = mapping!.lexicon;
      const message = `--steps before asks for a word of one group against its counterpart; lexicon ${name} has ${mapping!.groups.length} groups, give one of two`;
      throw new AuditError('bad_argument', message, { key: 'steps', lexicon: name });
    }
    if (options.wholeWords && severalSteps(options.steps)) {
      const message = `--whole-words takes one step a row; leave it out with --steps ${options.steps}`;
      throw new AuditError('bad_argument', message, { key: 'wholeWords' });
    }
    if (options.wholeWords && mapping!.policy === 'ids') {
      const message = 'token groups by id have no words; leave out either --groups or --whole-words';
      throw new AuditError('bad_argument', message, { key: 'wholeWords' });
    }
    if (options.controls) checkControls(options, lexicon!, compat === 'reference');
    if (compat === 'reference' && options.steps !== 'probe') {
      throw new AuditError(
        'bad_argument',
        `the reference project has no steps ${options.steps}; leave out either --compat reference or --steps`,
        { key: 'steps' },
      );
    }
  },

  wantsWordEnds: ({ steps, wholeWords }) => steps === 'before' || wholeWords,

  measure: ({ mapping, wordEnds, options: { topK, steps, gate, gateTopK } }) => ({
    // The ends of words stand behind the groups.
    groups: [...mapping!.groups.map((group) => group.ids), ...(wordEnds ? [wordEnds] : [])],
    topK: severalSteps(steps) && gate ? gateTopK : 0,
    pairTopK: [topK],
  }),

  wantsPieces: ({ options: { steps, gate } }) => severalSteps(steps) && gate,

  identify: (row, { index }) => ({
    id: row.id ?? String(index),
    slices: { occupation: row.occupation, category: row.category },
    clusters: clustersOf(row),
  }),

  plan(row, context: Context): Plan {
    const { lexicon, options } = context;
    const { steps, decodeSteps } = options;
    if (steps === 'before') return planBefore(row, context);
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
    const controls = options.controls ? controlsOf(probe, lexicon!) : [];
    const sides: Sides[] = [[probe.prefix, probe.prefixSwap], ...controls.map((control) => control.sides)];
    return { kind: 'ask', requests: sides.flatMap((own) => sideRequests(own, context)), note: probe.note };
  },

  score(observed, context, row, note) {
    const { steps } = context.options;
    const figures = figureFields(context, row.occupation);
    if (steps === 'before') return { ...scoreBefore(observed, context, note), ...figures };
    const result = steps === 'probe' ? scoreProbe(observed, context, row) : scoreSteps(observed[0]!, context);
    return { ...result, ...figures };
  },
};
