/** Embedders of the tests: vectors from a table, or made of the text, and the calls counted. */
import { createHash } from 'node:crypto';
import { AuditError } from '../../../../src/errors.ts';
import type {
  Embedder,
  EmbedderIdentity,
  RetrievalRecord,
} from '../../../../src/suites/rules/retrieval/store/index.ts';

export interface CountingEmbedder extends Embedder {
  /** Every text that was asked for, in order. */
  readonly asked: string[];
}

export const IDENTITY: EmbedderIdentity = {
  kind: 'test',
  name: 'table',
  sha256: null,
  settings: { mode: 'exact' },
};

export function embedderOf(
  vectorOf: (text: string) => Float32Array | AuditError,
  identity: EmbedderIdentity = IDENTITY,
): CountingEmbedder {
  const asked: string[] = [];
  return {
    identity,
    asked,
    async embed(texts) {
      asked.push(...texts);
      return texts.map(vectorOf);
    },
  };
}

export const DIMENSION = 24;

/** A vector that looks like chance and is the same for the same text; not of length 1. */
export function hashVector(text: string): Float32Array {
  return Float32Array.from({ length: DIMENSION }, (_, i) => {
    const hash = createHash('sha256').update(`${i} ${text}`).digest();
    return hash.readInt32LE(0) / 2 ** 29;
  });
}

/** Threads of a split whose comments are `texts`; null for one that was not hydrated. */
export function threads(split: string, texts: readonly (string | null)[]): RetrievalRecord[] {
  return texts.map((text, index) => ({
    key: `${split}:id${Math.floor(index / 2)}:${index % 2 === 0 ? 'violating' : 'compliant'}`,
    type: index % 2 === 0 ? 'violating' : 'compliant',
    text,
    subreddit: 'one',
    subredditCluster: 1,
    ruleCluster: 2,
    hasMedia: false,
  }));
}

export function tooLong(): AuditError {
  return new AuditError('context_overflow', 'the text has 900 tokens, and the context 512', { tokens: 900 });
}
