/** A thread as it is put to a model: the question, with examples as turns in front of it or in one text with it. */
import type { ContextFlags } from '../tables/contexts.ts';
import { exampleAnswer, type RulesExample, type TraceStyle } from './examples.ts';
import type { Question } from './fields.ts';
import { askQuestion } from './question.ts';
import type { Template } from './template.ts';

export interface FewShot {
  readonly examples: readonly RulesExample[];
  readonly style: TraceStyle;
  /** In one text with the question. */
  readonly inline: boolean;
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface Conversation {
  /** The last one is the question. */
  readonly turns: readonly Turn[];
  /** Paths, from the media folder. */
  readonly images: readonly string[];
  /** Where they stand in the last turn, as an index of its text; null where there are none. */
  readonly imagesAt: number | null;
}

function showsImages(flags: ContextFlags): boolean {
  return flags.media === true;
}

/** Everything in one text, for examples that are to stand so and for models that read no chats. */
export function inOneText(turns: readonly Turn[], { examples }: Template): string {
  return turns
    .map(({ role, content }, at) => {
      if (at === turns.length - 1) return content;
      return content + (role === 'user' ? examples.questionToAnswer : examples.separator);
    })
    .join('');
}

export function conversationOf(question: Question, fewShot: FewShot, template: Template): Conversation {
  const { flags, phrase } = question;
  const asked = askQuestion(question, template);
  const shown = fewShot.examples.flatMap((example): Turn[] => {
    const { pair, type } = example;
    return [
      { role: 'user', content: askQuestion({ pair, type, flags, phrase }, template).text },
      { role: 'assistant', content: exampleAnswer(example, fewShot.style, template) },
    ];
  });
  const turns: Turn[] = [...shown, { role: 'user', content: asked.text }];
  const images = showsImages(flags) ? question.pair.submission.images : [];
  return {
    turns: fewShot.inline ? [{ role: 'user', content: inOneText(turns, template) }] : turns,
    images,
    imagesAt: images.length === 0 ? null : asked.imagesAt,
  };
}
