/** Who may be an example for whom. */
import { AuditError } from '../../../../errors.ts';
import { type ClusterId, isHydrated, type RetrievalRecord } from './record.ts';

/** What a candidate must have in common with the target. A target without that key has no examples. */
const KEY_OF = {
  none: () => 'all',
  subreddit: ({ subreddit }) => subreddit,
  'subreddit-cluster': ({ subredditCluster }) => subredditCluster,
  'rule-cluster': ({ ruleCluster }) => ruleCluster,
} as const satisfies Record<string, (record: RetrievalRecord) => ClusterId>;

export type RetrievalFilter = keyof typeof KEY_OF;
export const FILTERS = Object.keys(KEY_OF) as readonly RetrievalFilter[];

type Groups = ReadonlyMap<ClusterId, readonly RetrievalRecord[]>;

/** The candidates that may be examples at all, by what filters ask for. */
export class CandidatePool {
  readonly #eligible: readonly RetrievalRecord[];
  readonly #groups = new Map<RetrievalFilter, Groups>();

  /** Throws `data_malformed` for a key that is there twice. */
  constructor(candidates: readonly RetrievalRecord[]) {
    checkKeys(candidates);
    this.#eligible = candidates.filter((record) => isHydrated(record) && !record.hasMedia);
  }

  /** Those that pass the filter, without the target itself, in the order in which they were given. */
  of(target: RetrievalRecord, filter: RetrievalFilter): readonly RetrievalRecord[] {
    const key = keyFunction(filter)(target);
    if (key === null) return [];
    const group = this.#groupsOf(filter).get(key) ?? [];
    return group.filter((candidate) => candidate.key !== target.key);
  }

  #groupsOf(filter: RetrievalFilter): Groups {
    let groups = this.#groups.get(filter);
    if (groups === undefined) {
      groups = groupBy(this.#eligible, keyFunction(filter));
      this.#groups.set(filter, groups);
    }
    return groups;
  }
}

function groupBy(records: readonly RetrievalRecord[], keyOf: (record: RetrievalRecord) => ClusterId): Groups {
  const groups = new Map<ClusterId, RetrievalRecord[]>();
  for (const record of records) {
    const key = keyOf(record);
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  return groups;
}

function keyFunction(filter: RetrievalFilter): (record: RetrievalRecord) => ClusterId {
  if (Object.hasOwn(KEY_OF, filter)) return KEY_OF[filter];
  const message = `there is no filter "${filter}"; give one of ${FILTERS.join(', ')}`;
  throw new AuditError('bad_argument', message, { key: 'filter' });
}

/** Throws `data_malformed` for a key that is there twice. */
export function checkKeys(records: readonly RetrievalRecord[]): void {
  const seen = new Set<string>();
  for (const { key } of records) {
    if (seen.has(key)) {
      const message = `the thread ${key} is there twice; give each pair once`;
      throw new AuditError('data_malformed', message, { key });
    }
    seen.add(key);
  }
}
