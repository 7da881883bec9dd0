/** The requests of a thread: an answer in free words, and the final choice that continues it. */
import path from 'node:path';
import type { SuiteContext } from '../../../contract/suite.ts';
import { AuditError } from '../../../errors.ts';
import type { GenerateRequest } from '../../../observation/observation.ts';
import type { ObservedGeneration, ObservedRequest } from '../../../observation/observed.ts';
import {
  type ChosenPhrase,
  type Conversation,
  carriedText,
  choosePhrase,
  conversationOf,
  inOneText,
  parseContext,
  type RulesExample,
  type RulesPair,
  type RulesTables,
  type ThreadType,
  type TraceStyle,
  type Turn,
} from '../index.ts';
import type { RulesOptions } from './options.ts';

export interface RulesMaterial {
  readonly tables: RulesTables;
  /** Null for a run without examples. */
  readonly fewShot: {
    readonly style: TraceStyle;
    /** Those of a thread, the first to be shown first. */
    examplesOf(pair: RulesPair, type: ThreadType): readonly RulesExample[];
  } | null;
}

/** Throws `bad_argument` where the suite was started without it. */
export function materialOf({ material }: Pick<SuiteContext, 'material'>): RulesMaterial {
  const given = material as RulesMaterial | undefined;
  if (given?.tables !== undefined) return given;
  const message =
    'rules needs its contexts, phrases and template; start it by "logit-audit run rules" or by runRules';
  throw new AuditError('bad_argument', message, { suite: 'rules' });
}

type Context = Pick<SuiteContext<RulesOptions>, 'options' | 'hasChatTemplate' | 'goesOn' | 'material'>;

export function asksChat({ options: { chat }, hasChatTemplate = false }: Context): boolean {
  return chat === 'on' || (chat === 'auto' && hasChatTemplate);
}

export function phraseOf(context: Context): ChosenPhrase {
  const { phrase, mode } = context.options;
  return choosePhrase(phrase, mode, materialOf(context).tables.phrases);
}

/** What the answer begins with. */
function opening(context: Context): string {
  const { mode, text } = phraseOf(context);
  return mode === 'prefill' ? text : '';
}

export function threadConversation(pair: RulesPair, type: ThreadType, context: Context): Conversation {
  const { tables, fewShot } = materialOf(context);
  const { context: flags, inline } = context.options;
  const { mode, text } = phraseOf(context);
  return conversationOf(
    {
      pair,
      type,
      flags: parseContext(flags, tables.contexts),
      phrase: mode === 'prompt' ? text : '',
    },
    {
      examples: fewShot?.examplesOf(pair, type) ?? [],
      style: fewShot?.style ?? 'template',
      inline,
    },
    tables.template,
  );
}

/** What the assistant has said so far stands behind the turns. */
function promptOf(turns: readonly Turn[], said: string, context: Context): GenerateRequest['prompt'] {
  const { template } = materialOf(context).tables;
  if (!asksChat(context)) return `${inOneText(turns, template)}${template.examples.questionToAnswer}${said}`;
  return { messages: turns.map((turn) => ({ ...turn })), ...(said === '' ? {} : { append: said }) };
}

function imagesOf({ images }: Conversation, { options: { mediaRoot } }: Context): Partial<GenerateRequest> {
  return images.length === 0 ? {} : { images: images.map((image) => path.join(mediaRoot, image)) };
}

export type Stage = 'reasoning' | 'final';

/** For models that answer by a rule. */
function rolesOf(pair: RulesPair, type: ThreadType, stage: Stage): Readonly<Record<string, string>> {
  return { stage, pair: pair.id, type, correct: pair.threads[type].correct };
}

export function reasoningRequest(pair: RulesPair, type: ThreadType, context: Context): GenerateRequest {
  const conversation = threadConversation(pair, type, context);
  const { maxResponseTokens, temperature, sampleSeed, final, finalTokens } = context.options;
  const then = { text: materialOf(context).tables.template.final, maxTokens: finalTokens, temperature: 0 };
  return {
    kind: 'generate',
    prompt: promptOf(conversation.turns, opening(context), context),
    maxTokens: maxResponseTokens,
    temperature,
    seed: sampleSeed,
    ...(final !== 'turn' && context.goesOn === true ? { then } : {}),
    ...imagesOf(conversation, context),
    roles: rolesOf(pair, type, 'reasoning'),
  };
}

/** What the assistant speaks of the prompt that it was given: what stands behind the end of the question. */
function spokenTail({ asked }: ObservedRequest, question: string): string {
  const [text = ''] = asked?.texts ?? [];
  const end = question.trimEnd().split('\n').at(-1)!;
  const at = text.lastIndexOf(end);
  return at === -1 ? '' : text.slice(at + end.length);
}

/** What the final choice continues. */
function carriedOf(reasoning: ObservedRequest, { turns }: Conversation): string {
  return carriedText(spokenTail(reasoning, turns.at(-1)!.content), reasoning.generation!.text);
}

/**
 * The final choice, where the model has continued its own answer; null where it is to be asked for: the model
 * could not, or the answer is not carried as it is.
 */
export function followedChoice(
  pair: RulesPair,
  type: ThreadType,
  reasoning: ObservedRequest,
  context: Context,
): ObservedGeneration | null {
  const { followed } = reasoning;
  if (followed === undefined) return null;
  const carried = carriedOf(reasoning, threadConversation(pair, type, context));
  return carried === reasoning.generation!.text ? followed : null;
}

export function finalRequest(
  pair: RulesPair,
  type: ThreadType,
  reasoning: ObservedRequest,
  context: Context,
): GenerateRequest {
  const conversation = threadConversation(pair, type, context);
  const { turns } = conversation;
  const { template } = materialOf(context).tables;
  const { text } = reasoning.generation!;
  const carried = carriedOf(reasoning, conversation);
  const own: Turn[] =
    text.trim() === ''
      ? [{ ...turns.at(-1)!, content: `${turns.at(-1)!.content}\n\n${template.finalTurn}` }]
      : [turns.at(-1)!, { role: 'assistant', content: text }, { role: 'user', content: template.finalTurn }];
  return {
    kind: 'generate',
    prompt:
      context.options.final === 'turn'
        ? promptOf([...turns.slice(0, -1), ...own], '', context)
        : promptOf(turns, `${opening(context)}${carried}${template.final}`, context),
    maxTokens: context.options.finalTokens,
    temperature: 0,
    ...imagesOf(conversation, context),
    roles: rolesOf(pair, type, 'final'),
  };
}
