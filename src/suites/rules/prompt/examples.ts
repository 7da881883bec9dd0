/** Retrieved examples, answered as the model is to answer. */
import { type RulesPair, targetOf } from '../data/pair.ts';
import type { ThreadType } from '../thread-type.ts';
import type { Template } from './template.ts';

/** How the answer to an example looks. */
export const TRACE_STYLES = ['response-only', 'rationale-think', 'rationale-plain', 'template'] as const;
export type TraceStyle = (typeof TRACE_STYLES)[number];

/** What a teacher answered to an example, and why. */
export interface Trace {
  /** Empty for none. */
  readonly rationale: string;
  readonly response: string;
}

export interface RulesExample {
  /** SPLIT:ID:TYPE */
  readonly key: string;
  /** Its similarity to the target; 0 where examples are drawn at random. */
  readonly score: number;
  readonly pair: RulesPair;
  readonly type: ThreadType;
  /** Null where there is none, or none that fits. */
  readonly trace: Trace | null;
}

/** What a result file tells of an example. */
export function describeExample({ key, score, pair, type }: RulesExample) {
  return {
    target_key: key,
    subreddit: pair.subreddit.name,
    thread_type: type,
    correct_answer: pair.threads[type].correct,
    comment_id: targetOf(pair.threads[type]).id,
    score,
  };
}

function fromTemplate({ pair, type }: RulesExample, { examples, final }: Template): string {
  const thread = pair.threads[type];
  const { label, rule } = thread.options.find((option) => option.label === thread.correct)!;
  const values: Readonly<Record<string, string>> = { 'option.label': label, 'option.rule': rule, final };
  return examples.answer.replace(
    /\{(option\.label|option\.rule|final)\}/g,
    (_, name: string) => values[name]!,
  );
}

/** The answer to an example; one without a trace is answered by the template. */
export function exampleAnswer(example: RulesExample, style: TraceStyle, template: Template): string {
  const { trace } = example;
  if (style === 'template' || trace === null) return fromTemplate(example, template);
  if (style === 'response-only' || trace.rationale === '') return trace.response;
  return style === 'rationale-think'
    ? `<think>\n${trace.rationale}\n</think>\n\n${trace.response}`
    : `${trace.rationale}\n\n${trace.response}`;
}
