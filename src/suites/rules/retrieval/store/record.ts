/** What retrieval knows of a thread: the comment that is judged, and what it may be filtered by. */

/** The thread whose target broke a rule, or the one whose target did not. */
export type RecordType = 'violating' | 'compliant';

/** A key of a cluster as the data have it; null where they have none. */
export type ClusterId = number | string | null;

/** A thread as it is embedded. */
export interface RetrievalRecord {
  /** `split:mod_comment_id:type`; see {@link recordKey}. Unique. */
  readonly key: string;
  readonly type: RecordType;
  /** The target comment; null where it was not hydrated, and then the thread is neither query nor candidate. */
  readonly text: string | null;
  readonly subreddit: string;
  readonly subredditCluster: ClusterId;
  readonly ruleCluster: ClusterId;
  /** The submission shows media. Such a thread is no example; it may be a target. */
  readonly hasMedia: boolean;
}

/** A record whose comment is there. */
export type HydratedRecord = RetrievalRecord & { readonly text: string };

export function recordKey(split: string, modCommentId: string, type: RecordType): string {
  return `${split}:${modCommentId}:${type}`;
}

export function isHydrated(record: RetrievalRecord): record is HydratedRecord {
  return record.text !== null;
}

/** What stands for a comment without any text. */
export const EMPTY_TEXT = '[empty]';

/** What is embedded of a record: its comment alone, behind the instruction of its side. */
export function embeddedText({ text }: HydratedRecord, prefix: string): string {
  return prefix + (text.trim() === '' ? EMPTY_TEXT : text);
}

/** How models that were trained with instructions want one in front of a text. */
export function instructionPrefix(instruction: string): string {
  return `Instruct: ${instruction}\nQuery: `;
}
