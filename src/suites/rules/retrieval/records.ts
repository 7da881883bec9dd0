/** Pairs of threads as retrieval sees them. */

import { type RulesPair, type RulesSubmission, type RulesThread, targetOf, threadKey } from '../data/pair.ts';
import { THREAD_TYPES } from '../thread-type.ts';
import type { RetrievalRecord } from './store/index.ts';

/**
 * Both threads of each pair, in order. A comment that is yet to be fetched has no text; one that is not there at all has an
 * empty one. What is in no cluster is in cluster -1 with all others of that kind, as the data have it.
 */
export function retrievalRecords(split: string, pairs: Iterable<RulesPair>): RetrievalRecord[] {
  const records: RetrievalRecord[] = [];
  for (const pair of pairs) {
    for (const type of THREAD_TYPES) {
      const { body, dehydrated } = targetOf(pair.threads[type]);
      records.push({
        key: threadKey(split, pair, type),
        type,
        text: dehydrated ? null : (body ?? ''),
        subreddit: pair.subreddit.name,
        subredditCluster: pair.metadata.subreddit_cluster_id,
        ruleCluster: pair.metadata.rule_cluster_id,
        hasMedia: showsMedia(pair.submission),
      });
    }
  }
  return records;
}

/** As the original takes it: images that are there or counted. A place that holds nothing but the marker is none. */
function showsMedia({ images, mediaCount }: RulesSubmission): boolean {
  return images.length > 0 || mediaCount > 0;
}

/** The rule of a thread's right option: what it votes for as an example. */
export function correctRuleOf({ options, correct }: RulesThread): string {
  return options.find(({ label }) => label === correct)?.rule ?? '';
}
