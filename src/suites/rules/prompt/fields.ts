/** The values of a template's fields for one thread. */
import type { RulesPair } from '../data/pair.ts';
import type { ContextFlags } from '../tables/contexts.ts';
import type { ThreadType } from '../thread-type.ts';
import { Authors, withoutMentions } from './anonymise.ts';
import { postedText } from './posted.ts';
import type { ListName, Template } from './template.ts';

export type FieldValue = string | number | boolean;
export type Scope = Readonly<Record<string, FieldValue>>;

export interface ThreadFields {
  readonly everywhere: Scope;
  readonly lists: Readonly<Record<ListName, readonly Scope[]>>;
}

export interface Question {
  readonly pair: RulesPair;
  readonly type: ThreadType;
  readonly flags: ContextFlags;
  /** What is said behind the question; empty for nothing. */
  readonly phrase: string;
}

export function fieldsOf({ pair, type, flags, phrase }: Question, template: Template): ThreadFields {
  const { subreddit, submission, threads } = pair;
  const thread = threads[type];
  const authors = new Authors(pair, type);
  const label = (author: string) => template.author.replace('{number}', String(authors.numberOf(author)));
  const comments = thread.comments.map((comment, at): Scope => {
    return {
      'comment.number': at + 1,
      'comment.flair': comment.flair,
      'comment.author': label(comment.author),
      'comment.posted': postedText(comment.createdAt),
      'comment.body': withoutMentions(comment.body ?? ''),
      'comment.is-missing': comment.body === null,
      'comment.is-target': at === thread.comments.length - 1,
    };
  });
  const shown = isSet(template.discussion, flagScope(flags));
  return {
    everywhere: {
      ...flagScope(flags),
      'subreddit.name': subreddit.name,
      'subreddit.title': subreddit.title,
      'subreddit.description': subreddit.description,
      'submission.title': submission.title,
      'submission.flair': submission.flair,
      'submission.author': label(submission.author),
      'submission.posted': postedText(submission.createdAt),
      'submission.url': submission.url,
      'submission.text': withoutMentions(submission.text),
      'submission.has-hidden-images': submission.hasMedia && flags.media !== true,
      phrase,
    },
    lists: {
      rules: subreddit.rules.map((rule, at) => ({
        'rule.number': at + 1,
        'rule.name': rule.name,
        'rule.description': rule.description,
        'rule.violation': rule.violation,
      })),
      comments: shown ? comments : [{ ...comments.at(-1)!, 'comment.number': 1 }],
      options: thread.options.map((option) => ({
        'option.label': option.label,
        'option.rule': option.rule,
      })),
    },
  };
}

function flagScope(flags: ContextFlags): Scope {
  return Object.fromEntries(Object.entries(flags).map(([flag, set]) => [`flags.${flag}`, set]));
}

/** True, a number but 0, or a text that is not blank. */
export function isSet(name: string, scope: Scope): boolean {
  const value = scope[name];
  return typeof value === 'string' ? value.trim() !== '' : Boolean(value);
}

const OPEN = '<think>';
const CLOSE = '</think>';
const END = `\n${CLOSE}\n\n`;

/**
 * What the second stage takes of the first stage's text: all of it, with a thought closed that was left open. `tail`: the prompt that the text was generated behind, as
 * far as the assistant speaks in it.
 */
export function carriedText(tail: string, text: string): string {
  const before = tail.toLowerCase();
  // A prompt that has closed the thought itself says that there is none.
  if (text === '' || before.includes(CLOSE)) return text;
  const own = text.toLowerCase();
  const open = own.includes(CLOSE)
    ? own.lastIndexOf(OPEN) > own.lastIndexOf(CLOSE)
    : own.includes(OPEN) || before.includes(OPEN);
  return open ? `${text.trimEnd()}${END}` : text;
}
