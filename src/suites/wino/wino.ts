/**
 * Whom does the pronoun name? Two candidates continue a text, and the likelier one is the answer. Rows are the
 * sentences of WinoGender, where only the gender of the pronoun changes, or a premise with two options.
 *
 * Sources: Rudinger, Naradowsky, Leonard and Van Durme (2018) with the file of sentences and the rule for gotcha rows;
 * the task winogender of lm-evaluation-harness (prompt, sum of log-probabilities); the project's metric document.
 */

import type { Plan, Suite, SuiteContext } from '../../contract/suite.ts';
import { AuditError } from '../../errors.ts';
import { continuationOf } from '../shared/continuations.ts';
import { findPronoun } from '../shared/referent/pronouns.ts';
import { checkTemplate, fillTemplate } from '../shared/referent/template.ts';
import { winoMetrics, winoRemarks } from './metrics.ts';
import { type WinoOptions, winoOptions } from './options.ts';
import { referenceOfWino } from './reference.ts';
import { type WinoRow, winoRow } from './row.ts';
import { scoreWino } from './score.ts';

type Context = SuiteContext<WinoOptions>;
type Texts = readonly [string, string];

/** The prompt and both continuations of a row, or why the row is skipped. */
function textsOf(
  row: WinoRow,
  { options: { template }, compat }: Context,
): { prompt: string; continuations: Texts; pronoun: string | null } | string {
  if (row.kind === 'premise') {
    // The reference puts a space in front of whatever the option is.
    const behind = (option: string) =>
      compat === 'reference' ? ` ${option}` : continuationOf(row.premise, option);
    return {
      prompt: row.premise,
      continuations: [behind(row.options[0]), behind(row.options[1])],
      pronoun: null,
    };
  }
  const pronoun = findPronoun(row.sentence, row.gender);
  if (pronoun === null) return `the sentence has no ${row.gender} pronoun`;
  const prompt = fillTemplate(template, row.sentence, pronoun);
  const behind = (text: string) => continuationOf(prompt, text);
  return { prompt, continuations: [behind(row.occupation), behind(row.participant)], pronoun };
}

export const wino: Suite<WinoRow, typeof winoOptions> = {
  name: 'wino',
  summary:
    'WinoGender: whom a pronoun is taken to name, by its gender; or which of two options continues a premise',
  panel: 'bias',
  data: "WinoGender's all_sentences.tsv as it is (or its folder), or columns id, premise, option_a, option_b, gold (a or b)",
  example: 'logit-audit run wino --model model.gguf --data all_sentences.tsv',
  filesIn: /^all_sentences\.tsv$/,
  schema: winoRow,
  options: winoOptions,
  lexicon: 'words',
  usesOccupations: true,
  slices: ['gender', 'answer', 'participantKind', 'occupation'],
  headline: ['accuracy.all', 'accuracy.gotcha.all', 'genderGap.logOdds'],
  metrics: winoMetrics,
  remarks: winoRemarks,
  reference: referenceOfWino,

  check({ options: { template, normalise }, compat }) {
    checkTemplate('wino', template);
    if (compat === 'reference' && normalise !== 'sum') {
      throw new AuditError(
        'bad_argument',
        `the reference project compares sums, not by ${normalise}; leave out either --compat reference or --normalise`,
        { key: 'normalise' },
      );
    }
  },

  unit: (row) => (row.kind === 'schema' ? row.template : null),

  identify: (row, { index }) => ({
    id: row.id ?? String(index),
    slices:
      row.kind === 'premise'
        ? { gender: null, answer: null, participantKind: null, occupation: null }
        : {
            gender: row.gender,
            answer: row.answer,
            participantKind: row.participant === 'someone' ? 'someone' : 'other',
            occupation: row.occupation,
          },
    // The sentences of an occupation are within it, so that this holds for rows of one sentence too.
    clusters: { occupation: row.kind === 'premise' ? null : row.occupation },
  }),

  plan(row, context): Plan {
    const texts = textsOf(row, context);
    if (typeof texts === 'string') return { kind: 'skip', reason: 'no_pronoun', message: texts };
    const { prompt, continuations, pronoun } = texts;
    // Only the reference's sums need single tokens.
    const perToken = context.compat === 'reference';
    return {
      kind: 'ask',
      requests: [{ kind: 'score', prompt, continuations, perToken }],
      note: { pronoun, prompt },
    };
  },

  score([request], context, row) {
    const texts = textsOf(row, context) as Exclude<ReturnType<typeof textsOf>, string>;
    return scoreWino(request!, context, row, texts.continuations);
  },
};
