/**
 * WinoBias: sentences of two occupations and a pronoun, each once as the stereotype has it and once against it. Which
 * of the two sentences is likelier, and whether the pronoun is taken to name the right occupation in both.
 *
 * Sources: Zhao, Wang, Yatskar, Ordonez and Chang (2018) with their files, and their measure, the difference between
 * the two lists. They score coreference systems; a language model is asked as in lm-evaluation-harness's winogender.
 */

import type { Fields } from '../../contract/metric.ts';
import type { OptionTable } from '../../contract/options.ts';
import type { Plan, RowPlace, Suite } from '../../contract/suite.ts';
import { AuditError } from '../../errors.ts';
import { continuationOf, normaliseOption } from '../shared/continuations.ts';
import { firstTokenOption, firstTokenRemarks, scoredTargets, textsRequest } from '../shared/first-token.ts';
import { comparedValues, contestOf, verdictOf } from '../shared/referent/candidates.ts';
import { checkTemplate, fillTemplate, templateOption } from '../shared/referent/template.ts';
import { baseName, LIST_FILES, LIST_FILES_LIKE, type Line, listOf, winobiasRow } from './line.ts';
import { winobiasMetrics } from './metrics.ts';
import { occupationsIn, stereotypeOf } from './occupations.ts';
import { asksNothing, type Question, questionOf } from './question.ts';

const options = {
  template: templateOption,
  normalise: normaliseOption,
  // Earlier runs scored it behind a BOS that the model itself puts in front.
  firstToken: { ...firstTokenOption, before: 'auto' },
} as const satisfies OptionTable;

function unknownList(line: Line, { file, index }: RowPlace): AuditError {
  return new AuditError(
    'row_invalid',
    `${file}: row ${index + 1} (number ${line.number}): the file's name does not say which list it is; name it as ` +
      `WinoBias does, such as ${LIST_FILES_LIKE}`,
    { file, index },
  );
}

/** Both occupations as continuations of the question, in the order of the sentence. */
function candidatesOf(
  line: Line,
  { pronoun, referent, other }: Question,
  template: string,
): { prompt: string; names: [string, string]; continuations: [string, string] } {
  const prompt = fillTemplate(template, line.sentence, pronoun);
  const names = occupationsIn(line.sentence).filter((word) => word === referent || word === other);
  const [first, second] = names as [string, string];
  return {
    prompt,
    names: [first, second],
    continuations: [continuationOf(prompt, first), continuationOf(prompt, second)],
  };
}

export const winobias: Suite<Line, typeof options> = {
  name: 'winobias',
  summary:
    'WinoBias: pro- against anti-stereotyped sentences, and whom the pronoun is taken to name in either',
  panel: 'bias',
  data: 'the published text files as they are (pro_stereotyped_type1.txt.dev and its seven companions), or their folder',
  example:
    'logit-audit run winobias --model model.gguf --data pro_stereotyped_type1.txt.dev anti_stereotyped_type1.txt.dev',
  filesIn: LIST_FILES,
  schema: winobiasRow,
  options,
  lexicon: 'none',
  slices: ['list', 'type', 'split', 'gender'],
  headline: ['sentence.prefersPro.all', 'gap.all'],
  lists: [{ file: 'odd.csv', keep: ({ oddities }) => (oddities as readonly string[]).length > 0 }],
  metrics: winobiasMetrics,
  check: ({ options: { template } }) => checkTemplate('winobias', template),

  // The sentence as the stereotype has it, and the one against it.
  unit({ number }, { file }) {
    const list = listOf(file);
    return list ? `${list.type}.${list.split}.${number}` : null;
  },

  identify(line, { file }) {
    const { number, genders } = line;
    const list = listOf(file);
    const question = questionOf(line);
    const [gender = null] = genders.size === 1 ? genders : [];
    return {
      id: list ? `${list.list}.${list.type}.${list.split}.${number}` : `${baseName(file)}.${number}`,
      slices: {
        list: list?.list ?? null,
        type: list?.type ?? null,
        split: list?.split ?? null,
        gender,
      },
      clusters: { occupation: asksNothing(question) ? null : question.referent },
    };
  },

  plan(line, context, place): Plan {
    const { template, firstToken } = context.options;
    const list = listOf(place.file);
    if (list === null) return { kind: 'fail', error: unknownList(line, place) };
    const question = questionOf(line);
    if (asksNothing(question)) return { kind: 'skip', ...question };
    const { prompt, continuations } = candidatesOf(line, question, template);
    const { pronoun, referent, other, severalOthers } = question;
    const [gender] = line.genders;
    const asStereotyped = stereotypeOf(referent) === gender;
    return {
      kind: 'ask',
      requests: [
        // An endpoint, which tells no single tokens, can be asked for all of them.
        { ...textsRequest([line.sentence], context), perToken: firstToken !== 'prefix' },
        { kind: 'score', prompt, continuations },
      ],
      note: {
        item: `${list.type}.${list.split}.${line.number}`,
        frame: line.frame,
        pronoun,
        referent,
        other,
        oddities: [
          ...line.oddities,
          ...(severalOthers ? ['severalOccupations'] : []),
          ...(asStereotyped === (list.list === 'pro') ? [] : ['notAsListed']),
        ],
      },
    };
  },

  score([sentence, asked], context, line): Fields {
    const question = questionOf(line) as Question;
    const { names, continuations } = candidatesOf(line, question, context.options.template);
    const contest = contestOf(asked!, continuations);
    const { logProb, tokens } = sentence!.scores[0]!;
    const single = scoredTargets(sentence!.targets, 0, context);
    const whole = context.options.firstToken === 'prefix';
    return {
      sentenceLogProb: whole ? logProb : single.reduce((sum, target) => sum + target.logProb, 0),
      sentenceTokens: whole ? tokens : single.length,
      ...verdictOf(comparedValues(contest, context), names, question.referent),
      promptTokenIds: contest.promptTokenIds,
      continuations: contest.continuations,
    };
  },

  remarks: firstTokenRemarks,
};
