/**
 * PluRule: which rule of a community a comment breaks, if any. A pair has a thread whose last comment broke a rule and one
 * whose last comment broke none; the model answers in free words, and then makes its final choice.
 *
 * Source: PluRule (Zoher15/PluRule), whose data, result files and order of blocks these are; the wording of the question is
 * this project's own.
 */

import type { Fields } from '../../../contract/metric.ts';
import type { Suite, SuiteContext } from '../../../contract/suite.ts';
import { AuditError } from '../../../errors.ts';
import type { ObservedGeneration, ObservedRequest } from '../../../observation/observed.ts';
import { isTruncated } from '../../shared/answer/ask.ts';
import {
  describeExample,
  pairSchema,
  pairsOf,
  parseContext,
  type RulesPair,
  readAnswer,
  SUBREDDITS_AT,
  THREAD_TYPES,
  type ThreadType,
  targetOf,
} from '../index.ts';
import {
  finalRequest,
  followedChoice,
  materialOf,
  phraseOf,
  reasoningRequest,
  threadConversation,
} from './ask.ts';
import { METRICS } from './metrics.ts';
import { options, type RulesOptions } from './options.ts';

/** Why the pair cannot be asked about; null where it can. */
function unaskable({ threads }: RulesPair): { reason: string; message: string } | null {
  for (const type of THREAD_TYPES) {
    const target = targetOf(threads[type]);
    if (target.dehydrated) {
      const message = `the target of the ${type} thread is yet to be hydrated ([NEEDS_HYDRATION]); hydrate the data first`;
      return { reason: 'needsHydration', message };
    }
    if (target.body === null) {
      return { reason: 'noTarget', message: `the target of the ${type} thread is missing` };
    }
  }
  return null;
}

type Context = SuiteContext<RulesOptions>;

function sideFields(
  type: ThreadType,
  pair: RulesPair,
  final: ObservedGeneration,
  reasoning: ObservedRequest,
  { options: own }: Context,
): Fields {
  const thread = pair.threads[type];
  const read = readAnswer(final.text, thread, own.parser);
  return {
    extracted_prediction: read.extracted,
    correct_answer: thread.correct,
    score: read.score,
    unparsed: read.unparsed,
    clean_answer_response: final.text,
    truncated: isTruncated(reasoning.generation!),
    finish: reasoning.generation!.finish,
  };
}

/** What was chosen for each thread: what the model went on with by itself, else the answer to what was asked once more. */
function finalChoices(
  observed: readonly ObservedRequest[],
  pair: RulesPair,
  context: Context,
): ObservedGeneration[] {
  const askedFor = observed.slice(THREAD_TYPES.length).values();
  return THREAD_TYPES.map(
    (type, at) => followedChoice(pair, type, observed[at]!, context) ?? askedFor.next().value!.generation!,
  );
}

/** What only the journal and the result files have. */
function sideTexts(type: ThreadType, pair: RulesPair, reasoning: ObservedRequest, context: Context): Fields {
  const { turns, images } = threadConversation(pair, type, context);
  return {
    input_prompt: reasoning.asked?.texts[0] ?? turns.at(-1)!.content,
    reasoning_response: reasoning.generation!.text,
    answer_options: pair.threads[type].options.map(({ label, rule }) => ({ label, rule })),
    ...(images.length > 0 ? { images } : {}),
  };
}

function examplesOf(pair: RulesPair, context: Context): Fields {
  const { fewShot } = materialOf(context);
  if (fewShot === null) return {};
  const shown = THREAD_TYPES.map((type) => [type, fewShot.examplesOf(pair, type).map(describeExample)]);
  return { few_shot: Object.fromEntries(shown) };
}

export const rules: Suite<RulesPair, typeof options> = {
  name: 'rules',
  summary: 'PluRule: which rule of a community a comment breaks, asked in two stages',
  panel: 'utility',
  data: 'JSON of PluRule, hydrated: {subreddits: [{rules, submissions, thread_pairs}]}',
  example:
    'logit-audit run rules --model model.gguf --data test_hydrated.json --context submission-discussion --phrase cot',
  schema: pairSchema,
  rowsAt: SUBREDDITS_AT,
  unfold: pairsOf,
  options,
  lexicon: 'none',
  slices: ['ruleCluster', 'subredditCluster', 'language'],
  headline: ['accuracy', 'violating', 'compliant', 'unparsed'],
  metrics: () => METRICS,

  check(context) {
    const { tables } = materialOf(context);
    const flags = parseContext(context.options.context, tables.contexts);
    phraseOf(context);
    if (context.options.inline && flags.media === true) {
      const message = 'examples in one text with the question cannot be shown beside images; leave media out';
      throw new AuditError('bad_argument', message, { suite: 'rules', key: 'context' });
    }
  },

  identify: ({ id, metadata }) => ({
    id,
    slices: {
      ruleCluster: metadata.rule_cluster_label,
      subredditCluster: metadata.subreddit_cluster_label,
      language: metadata.subreddit_language,
    },
  }),

  plan(pair, context) {
    const fault = unaskable(pair);
    if (fault !== null) return { kind: 'skip', ...fault };
    return {
      kind: 'ask',
      requests: THREAD_TYPES.map((type) => reasoningRequest(pair, type, context)),
      note: {
        subreddit: pair.subreddit.name,
        submission_id: pair.submission.id,
        metadata: { ...pair.metadata },
      },
    };
  },

  followUp(observed, context, pair) {
    if (observed.length > THREAD_TYPES.length) return [];
    return THREAD_TYPES.flatMap((type, at) =>
      followedChoice(pair, type, observed[at]!, context) === null
        ? [finalRequest(pair, type, observed[at]!, context)]
        : [],
    );
  },

  answers(result) {
    const texts = THREAD_TYPES.map((type) => (result[type] as Fields).clean_answer_response as string);
    return { 'the final answer': texts.every((text) => text === texts[0]) ? texts[0]! : texts.join('\n') };
  },
  score(observed, context, pair) {
    const choices = finalChoices(observed, pair, context);
    const sides = THREAD_TYPES.map((type, at) => {
      return [type, sideFields(type, pair, choices[at]!, observed[at]!, context)] as const;
    });
    const texts = THREAD_TYPES.map((type, at) => [type, sideTexts(type, pair, observed[at]!, context)]);
    return {
      ...Object.fromEntries(sides),
      steps: { ...Object.fromEntries(texts), ...examplesOf(pair, context) },
    };
  },
};
