/** The examples of a whole split: from an artifact that was built, and the vote of the original. */
import { describe, expect, it } from 'vitest';
import {
  exampleVote,
  pythonOrder,
  type Retrieved,
  type RetrieveRequest,
  retrievalRecords,
  retrieveExamples,
} from '../../../src/suites/rules/index.ts';
import {
  buildRetrieval,
  type RetrievalBalance,
  type RetrievalFilter,
} from '../../../src/suites/rules/retrieval/store/index.ts';
import { faultOf } from '../../fault.ts';
import { temporaryFolder } from '../../temporary.ts';
import { sharedPairs } from './data.ts';
import { embedderOf, hashVector } from './retrieval/fake-embedder.ts';
import { readJson } from './retrieval/vectors.ts';
import { VECTORS } from './vectors.ts';

interface VoteRow {
  readonly setting: string;
  readonly target: string;
  readonly prediction: string;
  readonly score: number;
}

describe.skipIf(VECTORS === null)('examples of a split', () => {
  const splits = () => ({
    targets: { split: 'test', pairs: sharedPairs('dataset.json') },
    source: { split: 'train', pairs: sharedPairs('train.json') },
  });
  const settings = { k: 4, filter: 'none', balance: 'top' } as const;

  async function built(): Promise<string> {
    const { targets, source } = splits();
    const side = ({ split, pairs }: typeof targets) => ({ split, records: retrievalRecords(split, pairs) });
    const artifact = await buildRetrieval({
      queries: side(targets),
      candidates: side(source),
      embedder: embedderOf(hashVector),
      out: temporaryFolder(),
      threads: 1,
    });
    return artifact.path;
  }

  it('are the nearest, with their pairs, and the run is named after them and the artifact', async () => {
    const artifact = await built();
    const { targets, source } = splits();
    const retrieved = await retrieveExamples({ targets, source, settings, artifact });
    expect(retrieved.suffix).toMatch(/^rag-k4-none-top-src-train-art-[0-9a-f]{12}$/);
    const { retrieval_artifact_sha256: sha256, ...rest } = retrieved.description;
    expect(retrieved.suffix.endsWith(sha256!.slice(0, 12))).toBe(true);
    expect(rest).toEqual({ ...settings, source_split: 'train', retrieval_path: artifact });
    for (const pair of targets.pairs) {
      const examples = retrieved.examplesOf(pair, 'compliant');
      expect(examples).toHaveLength(4);
      const scores = examples.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const { key, pair: own, type } of examples) expect(key).toBe(`train:${own.id}:${type}`);
    }
  });

  it('are none where another artifact, or none, is given', async () => {
    const artifact = await built();
    const { targets, source } = splits();
    const without = { ...source, pairs: source.pairs.slice(1) };
    const stale = await faultOf(retrieveExamples({ targets, source: without, settings, artifact }));
    expect(stale.code).toBe('retrieval_stale');
    const swapped = { targets: source, source: targets, settings, artifact };
    expect((await faultOf(retrieveExamples(swapped))).code).toBe('retrieval_stale');
    const none = await faultOf(retrieveExamples({ targets, source, settings, artifact: null }));
    expect(none.code).toBe('bad_argument');
  });

  it('that are drawn need no artifact, and vote as those of the original', async () => {
    const { votes } = readJson<{ votes: VoteRow[] }>('vote.json');
    const drawn = votes.filter(({ setting }) => setting.includes('random'));
    expect(drawn).toHaveLength(32);
    const asked = new Map<string, Promise<Retrieved>>();
    const { targets, source } = splits();
    for (const { setting, target, prediction, score } of drawn) {
      const [k, filter, balance] = setting.split('/') as [string, RetrievalFilter, RetrievalBalance];
      const request: RetrieveRequest = {
        targets,
        source,
        settings: { k: Number(k), filter, balance },
        artifact: 'none.f16',
        randomOrder: pythonOrder,
      };
      if (!asked.has(setting)) asked.set(setting, retrieveExamples(request));
      const retrieved = await asked.get(setting)!;
      expect(retrieved.suffix).toBe(`rag-k${k}-${filter}-random-src-train`);
      expect(retrieved.description.retrieval_path).toBeNull();
      const [, id, type] = target.split(':') as [string, string, 'violating' | 'compliant'];
      const pair = targets.pairs.find((one) => one.id === id)!;
      const vote = exampleVote(pair, type, retrieved.examplesOf(pair, type));
      expect(vote.prediction ?? '', target).toBe(prediction);
      expect(Number(vote.prediction === pair.threads[type].correct)).toBe(score);
    }
  });
});
