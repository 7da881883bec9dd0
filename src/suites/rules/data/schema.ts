/**
 * A pair of threads as the data have it: `{subreddits: [{rules, submissions, thread_pairs}]}`. One pair with what it needs of
 * its subreddit is one row.
 */
import { z } from 'zod';
import { answerOptions, NO_RULE_BROKEN } from '../options/options.ts';
import { THREAD_TYPES, type ThreadType } from '../thread-type.ts';
import type { RulesComment, RulesPair, RulesSubmission, RulesThread } from './pair.ts';

/** What the data and the original call what is in no cluster. */
const NO_CLUSTER = { id: -1, label: 'Other' } as const;

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '');
/** Seconds since 1970, as a number or a text; 0 where there is none. */
const seconds = z
  .union([z.number(), z.string().regex(/^\s*[+-]?\d+(?:\.\d+)?\s*$/, 'is no number of seconds')])
  .nullish()
  .transform((given) => Math.trunc(Number(given ?? 0)))
  // What a date can be.
  .refine((given) => Math.abs(given) <= 8.64e12, 'is no number of seconds that makes a date');
const clusterId = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((given) => given ?? NO_CLUSTER.id);
const clusterLabel = z
  .string()
  .nullish()
  .transform((given) => given || NO_CLUSTER.label);

const rule = z.looseObject({
  short_name_clean: text,
  description_clean: text,
  violation_reason_clean: text,
});

const submission = z.looseObject({
  submission_object: z
    .looseObject({
      title: text,
      selftext: text,
      url: text,
      author: text,
      created_utc: seconds,
      link_flair_text: text,
    })
    .nullish(),
  num_media: z.unknown().optional(),
  media_files: z.array(z.string()).nullish(),
});

const comment = z.looseObject({
  id: text,
  author: text,
  body: z.string().nullish(),
  created_utc: seconds,
  author_flair_text: text,
});
/** Of a file that was not hydrated a thread or a comment is the marker, or an id. */
const thread = z.union([z.array(z.union([comment, z.string()])), z.string()]);

const option = z.looseObject({ label: z.string().min(1), rule: z.string() });

const pair = z.looseObject({
  mod_comment_id: z.string().min(1),
  violating_thread: thread,
  compliant_thread: thread,
  violating_answer_options: z.array(option).nullish(),
  compliant_answer_options: z.array(option).nullish(),
  violating_correct_answer: z.string().nullish(),
  compliant_correct_answer: z.string().nullish(),
  metadata: z.looseObject({
    rule: text,
    rule_cluster_id: clusterId,
    rule_cluster_label: clusterLabel,
    submission_id: text,
  }),
});

const row = z.looseObject({
  subreddit: z.looseObject({
    subreddit: z.string().min(1),
    title: text,
    description: text,
    language: text,
    rules: z.array(rule),
    subreddit_cluster_id: clusterId,
    subreddit_cluster_label: clusterLabel,
  }),
  submission: submission.nullish(),
  pair,
});

/** A pair of a document before it is looked at, with its subreddit and its submission alone. */
export interface RawRow {
  readonly subreddit: unknown;
  readonly submission: unknown;
  readonly pair: unknown;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The rows of one subreddit of the document. One that holds no pairs as it should is a row by itself, so that its fault is reported. */
export function pairsOf(subreddit: unknown): readonly unknown[] {
  if (!isObject(subreddit) || !Array.isArray(subreddit.thread_pairs)) {
    return [{ subreddit, submission: null, pair: undefined }];
  }
  const { thread_pairs: pairs, submissions, ...own } = subreddit;
  return pairs.map((raw): RawRow => {
    const metadata = isObject(raw) ? raw.metadata : undefined;
    const id = isObject(metadata) ? metadata.submission_id : undefined;
    const known = isObject(submissions) && typeof id === 'string' && Object.hasOwn(submissions, id);
    return { subreddit: own, submission: known ? submissions[id] : null, pair: raw };
  });
}

/** Where the subreddits of a document are. */
export const SUBREDDITS_AT = [['subreddits']] as const;

type Read = z.infer<typeof row>;

function submissionOf(raw: Read['submission'], id: string): RulesSubmission {
  const object = raw?.submission_object;
  const files = raw?.media_files ?? [];
  return {
    id,
    title: object?.title ?? '',
    text: object?.selftext ?? '',
    url: object?.url ?? '',
    author: object?.author ?? '',
    createdAt: object?.created_utc ?? 0,
    flair: object?.link_flair_text ?? '',
    images: files.filter((file) => file.trim() !== DEHYDRATED),
    hasMedia: files.length > 0 || Number(raw?.num_media ?? 0) > 0,
    mediaCount: Math.max(0, Math.trunc(Number(raw?.num_media ?? 0)) || 0),
  };
}

function commentOf(raw: z.infer<typeof comment> | string): RulesComment {
  if (typeof raw === 'string') {
    return { id: '', author: '', body: null, createdAt: 0, flair: '', dehydrated: isDehydrated(raw) };
  }
  const dehydrated = isDehydrated(raw.body ?? '');
  return {
    id: raw.id,
    author: raw.author,
    body: dehydrated ? null : (raw.body ?? null),
    createdAt: raw.created_utc,
    flair: raw.author_flair_text,
    dehydrated,
  };
}

/** Of a type: given, or made of the rules. Null with an issue where it cannot be. */
function threadOf(read: Read, type: ThreadType, fail: (key: string, message: string) => void): RulesThread {
  const own = read.pair;
  const comments = own[`${type}_thread`];
  const names = read.subreddit.rules.map((one) => one.short_name_clean).filter((name) => name !== '');
  const given = own[`${type}_answer_options`];
  const options = given?.length ? given : answerOptions(own.mod_comment_id, type, names);
  const right = type === 'violating' ? own.metadata.rule : NO_RULE_BROKEN;
  const correct =
    own[`${type}_correct_answer`] ?? options.find(({ rule: name }) => name === right)?.label ?? '';
  const labels = options.map(({ label }) => label);
  if (!labels.includes(correct)) {
    const what =
      correct === '' ? `no option is ${JSON.stringify(right)}` : `${correct} is no label of its options`;
    fail(`${type}_correct_answer`, `${what}; give one of ${labels.join(', ')}`);
  }
  if (new Set(labels).size < labels.length) fail(`${type}_answer_options`, 'a label is there twice');
  return {
    comments: typeof comments === 'string' ? [commentOf(comments)] : comments.map(commentOf),
    options: options.map(({ label, rule: name }) => ({ label, rule: name })),
    correct,
  };
}

export const pairSchema = row.transform((read, context): RulesPair => {
  const fail = (key: string, message: string) => {
    context.addIssue({ code: 'custom', path: ['pair', key], message });
  };
  const { subreddit, pair: own } = read;
  const { metadata } = own;
  for (const type of THREAD_TYPES) {
    if (own[`${type}_thread`].length === 0)
      fail(`${type}_thread`, 'has no comment; its last one is the target');
  }
  let threads: Readonly<Record<ThreadType, RulesThread>> | null = null;
  try {
    threads = { violating: threadOf(read, 'violating', fail), compliant: threadOf(read, 'compliant', fail) };
  } catch (thrown) {
    fail('mod_comment_id', (thrown as Error).message);
  }
  if (threads === null) return z.NEVER;
  return {
    id: own.mod_comment_id,
    subreddit: {
      name: subreddit.subreddit,
      title: subreddit.title,
      description: subreddit.description,
      rules: subreddit.rules.map((one) => ({
        name: one.short_name_clean,
        description: one.description_clean,
        violation: one.violation_reason_clean,
      })),
    },
    submission: submissionOf(read.submission, metadata.submission_id),
    threads,
    metadata: {
      rule: metadata.rule,
      rule_cluster_id: metadata.rule_cluster_id,
      rule_cluster_label: metadata.rule_cluster_label,
      subreddit_cluster_id: subreddit.subreddit_cluster_id,
      subreddit_cluster_label: subreddit.subreddit_cluster_label,
      subreddit_language: primaryLanguage(subreddit.language),
    },
  };
});

/** The language of a tag, without its region: "en-au" is en, "pt_BR" is pt. */
export function primaryLanguage(tag: string): string {
  const language = tag.trim().split(/[-_]/)[0]!.toLowerCase();
  return language === '' ? 'unknown' : language;
}

/** What public data have instead of the texts of people, which everybody fetches for themselves. */
export const DEHYDRATED = '[NEEDS_HYDRATION]';

function isDehydrated(text: string): boolean {
  return text.trim() === DEHYDRATED;
}
