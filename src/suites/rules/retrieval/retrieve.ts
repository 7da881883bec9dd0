/** The examples of every thread of a split, chosen before a run starts, and what the run tells of them. */

import { type RulesPair, threadKey } from '../data/pair.ts';
import { THREAD_TYPES, type ThreadType } from '../thread-type.ts';
import { correctRuleOf, retrievalRecords } from './records.ts';
import type { ReadSplit } from './splits.ts';
import {
  ExampleSelector,
  hashOrder,
  type RandomOrder,
  RetrievalArtifact,
  ragVote,
  type SelectionSettings,
  type Vote,
} from './store/index.ts';

/** A thread of the source split as an example. */
export interface RetrievedExample {
  /** SPLIT:ID:TYPE */
  readonly key: string;
  /** Its similarity to the target, in [-1, 1]; 0 where examples are drawn. */
  readonly score: number;
  readonly pair: RulesPair;
  readonly type: ThreadType;
}

/** Which examples are looked for. */
export interface RetrieveRequest {
  readonly targets: ReadSplit;
  /** Where examples come from; may be the same split. */
  readonly source: ReadSplit;
  readonly settings: SelectionSettings;
  /** The .f16 file of "retrieval build" for these two splits; null where examples are drawn. */
  readonly artifact: string | null;
  /** How examples are drawn; default: {@link hashOrder}, which does not depend on the order of the data. */
  readonly randomOrder?: RandomOrder;
}

/** The examples that each thread is shown. */
export interface Retrieved {
  /** For the name of a folder: `rag-k4-rule-cluster-mixed-src-train-art-abc123def456`; nothing of an artifact for `random`. */
  readonly suffix: string;
  /** As result files tell it, under the names of the original. */
  readonly description: {
    readonly k: number;
    readonly filter: string;
    readonly balance: string;
    readonly source_split: string;
    readonly retrieval_path: string | null;
    readonly retrieval_artifact_sha256: string | null;
  };
  /** The examples of a thread of the targets, the first to be shown first; none where nothing passes the filter. */
  examplesOf(pair: Pick<RulesPair, 'id'>, type: ThreadType): readonly RetrievedExample[];
}

/** Of an artifact's SHA-256, enough to tell artifacts apart. */
const SHOWN_HASH = 12;

/**
 * Chooses the examples of both threads of every target. Reads one row of the artifact a thread. Throws what opening it
 * and {@link ExampleSelector.select} throw; `random` opens no artifact.
 */
export async function retrieveExamples(request: RetrieveRequest): Promise<Retrieved> {
  const { targets, source, settings } = request;
  const records = (of: ReadSplit) => ({ split: of.split, records: retrievalRecords(of.split, of.pairs) });
  const [queries, candidates] = [records(targets), records(source)];
  const path = settings.balance === 'random' ? null : request.artifact;
  const artifact = path === null ? null : await RetrievalArtifact.open(path, { queries, candidates });
  try {
    const order = request.randomOrder ?? hashOrder();
    const selector = new ExampleSelector(candidates.records, artifact, order);
    const threads = threadsOf(source);
    const chosen = new Map<string, readonly RetrievedExample[]>();
    for (const target of queries.records) {
      const examples = await selector.select(target, settings);
      chosen.set(
        target.key,
        examples.map((example) => ({ ...example, ...threads.get(example.key)! })),
      );
    }
    const sha256 = artifact?.sidecar.sha256 ?? null;
    return {
      suffix: suffixOf(settings, source.split, sha256),
      description: {
        k: settings.k,
        filter: settings.filter,
        balance: settings.balance,
        source_split: source.split,
        retrieval_path: path,
        retrieval_artifact_sha256: sha256,
      },
      examplesOf: (pair, type) => chosen.get(threadKey(targets.split, pair, type)) ?? [],
    };
  } finally {
    await artifact?.close();
  }
}

function threadsOf({ split, pairs }: ReadSplit): Map<string, { pair: RulesPair; type: ThreadType }> {
  return new Map(
    pairs.flatMap((pair) =>
      THREAD_TYPES.map((type) => [threadKey(split, pair, type), { pair, type }] as const),
    ),
  );
}

function suffixOf({ k, filter, balance }: SelectionSettings, split: string, sha256: string | null): string {
  const artifact = sha256 === null ? '' : `-art-${sha256.slice(0, SHOWN_HASH)}`;
  return `rag-k${k}-${filter}-${balance}-src-${split}${artifact}`;
}

/** The baseline rag-vote: which of a thread's options its examples vote for. */
export function exampleVote(pair: RulesPair, type: ThreadType, examples: readonly RetrievedExample[]): Vote {
  const voting = examples.map((example) => ({
    key: example.key,
    score: example.score,
    correctRule: correctRuleOf(example.pair.threads[example.type]),
  }));
  return ragVote(voting, pair.threads[type].options);
}
