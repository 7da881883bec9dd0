/** A pair of threads of one submission: one whose last comment broke a rule, and one whose last comment broke none. */
import type { AnswerOption } from '../options/options.ts';
import type { ThreadType } from '../thread-type.ts';

export interface RulesRule {
  readonly name: string;
  readonly description: string;
  /** What moderators say when it is broken. */
  readonly violation: string;
}

export interface RulesSubmission {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  /** Empty where it is not known. */
  readonly author: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly flair: string;
  /** Paths of those of its images that are there, from the media folder. */
  readonly images: readonly string[];
  /** It has images, whether they are there or not. */
  readonly hasMedia: boolean;
  /** How many images its data count; 0 where they give no number. */
  readonly mediaCount: number;
}

export interface RulesComment {
  readonly id: string;
  /** Empty where it is not known. */
  readonly author: string;
  /** Null where it is not there. */
  readonly body: string | null;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly flair: string;
  /** Its text is yet to be fetched. */
  readonly dehydrated: boolean;
}

export interface RulesThread {
  /** The last one is the target. */
  readonly comments: readonly RulesComment[];
  readonly options: readonly AnswerOption[];
  /** A label. */
  readonly correct: string;
}

/** What pairs are cut into parts by, under the names of result files. */
export interface PairMetadata {
  readonly rule: string;
  readonly rule_cluster_id: number | string;
  readonly rule_cluster_label: string;
  readonly subreddit_cluster_id: number | string;
  readonly subreddit_cluster_label: string;
  readonly subreddit_language: string;
}

/** A moderated comment and one that was not, with the rules of their community. */
export interface RulesPair {
  /** `mod_comment_id` */
  readonly id: string;
  readonly subreddit: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly rules: readonly RulesRule[];
  };
  readonly submission: RulesSubmission;
  readonly threads: Readonly<Record<ThreadType, RulesThread>>;
  readonly metadata: PairMetadata;
}

export function targetOf({ comments }: RulesThread): RulesComment {
  return comments.at(-1)!;
}

/** By what examples and traces name a thread: SPLIT:ID:TYPE. */
export function threadKey(split: string, { id }: Pick<RulesPair, 'id'>, type: ThreadType): string {
  return `${split}:${id}:${type}`;
}
