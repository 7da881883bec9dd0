/** The synthetic threads of ../shared, as retrieval sees them, and what the original made of them. */
import { readFileSync } from 'node:fs';
import type { RetrievalRecord, Similarities } from '../../src/retrieval/index.ts';
import { recordKey } from '../../src/retrieval/index.ts';
import { sharedFile } from '../oracle/shared.ts';

export const FOLDER = sharedFile('vectors/rules/retrieval');

export const TYPES = ['violating', 'compliant'] as const;
type ThreadType = (typeof TYPES)[number];

/** What was not hydrated is a marker in place of the comment or of its text. */
type Comment = string | { readonly body: string };

interface Pair {
  readonly mod_comment_id: string;
  readonly violating_thread: readonly Comment[];
  readonly compliant_thread: readonly Comment[];
  readonly violating_answer_options: readonly { label: string; rule: string }[];
  readonly compliant_answer_options: readonly { label: string; rule: string }[];
  readonly metadata: { readonly rule_cluster_id?: number };
}

interface Document {
  readonly subreddits: readonly {
    readonly subreddit: string;
    readonly subreddit_cluster_id?: number;
    readonly thread_pairs: readonly Pair[];
  }[];
}

interface Matrix {
  readonly file: string;
  readonly shape: readonly [number, number];
  readonly queries: readonly string[];
  readonly candidates: readonly string[];
}

export interface Keys {
  readonly test_to_train_float16: Matrix;
  readonly test_to_train_float32: Matrix;
  readonly test_to_test_float16: Matrix;
  readonly source_pairs: {
    readonly train_with_media: readonly string[];
    readonly test_with_media: readonly string[];
  };
  readonly records: Readonly<Record<string, { readonly correct_rule: string }>>;
}

export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as T;
}

export function readJsonLines<T>(file: string): T[] {
  const lines = readFileSync(`${FOLDER}/${file}`, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}

export type SplitName = 'test' | 'train';

function pairsOf(split: SplitName): { subreddit: Document['subreddits'][number]; pair: Pair }[] {
  const file = split === 'test' ? '../dataset.json' : '../train.json';
  return readJson<Document>(file).subreddits.flatMap((subreddit) =>
    subreddit.thread_pairs.map((pair) => ({ subreddit, pair })),
  );
}

/** Made of the raw data and of the original's own list of pairs with media. */
export function recordsOf(split: SplitName, keys: Keys): RetrievalRecord[] {
  const media = new Set(keys.source_pairs[`${split}_with_media`]);
  return pairsOf(split).flatMap(({ subreddit, pair }) =>
    TYPES.map((type) => {
      const comment = pair[`${type}_thread`].at(-1)!;
      const body = typeof comment === 'string' ? comment : comment.body;
      return {
        key: recordKey(split, pair.mod_comment_id, type),
        type,
        text: body.trim() === '[NEEDS_HYDRATION]' ? null : body,
        subreddit: subreddit.subreddit,
        subredditCluster: subreddit.subreddit_cluster_id ?? null,
        ruleCluster: pair.metadata.rule_cluster_id ?? null,
        hasMedia: media.has(pair.mod_comment_id),
      };
    }),
  );
}

/** The options of every thread of the test split. */
export function optionsOf(): Map<string, readonly { label: string; rule: string }[]> {
  const entries = pairsOf('test').flatMap(({ pair }) =>
    TYPES.map(
      (type: ThreadType) =>
        [recordKey('test', pair.mod_comment_id, type), pair[`${type}_answer_options`]] as const,
    ),
  );
  return new Map(entries);
}

/** Half bits by the definition of the format, on its own. */
function half(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const size = exponent === 0 ? (bits & 1023) / 2 ** 24 : (1 + (bits & 1023) / 1024) * 2 ** (exponent - 15);
  return bits >> 15 ? -size : size;
}

export function readMatrix(matrix: Matrix): Similarities & { readonly numbers: readonly number[] } {
  const bytes = readFileSync(`${FOLDER}/${matrix.file}`);
  const size = matrix.file.endsWith('float16.bin') ? 2 : 4;
  const [, columns] = matrix.shape;
  const numbers = Array.from({ length: bytes.length / size }, (_, i) =>
    size === 2 ? half(bytes.readUInt16LE(i * 2)) : bytes.readFloatLE(i * 4),
  );
  return {
    numbers,
    columnOf: (key) => matrix.candidates.indexOf(key),
    row: async (key) => {
      const row = matrix.queries.indexOf(key);
      return numbers.slice(row * columns, (row + 1) * columns);
    },
  };
}

/** The invented vectors by key, before they are scaled to length 1. */
export function vectorsOf({ test_to_train_float16: matrix }: Keys): Map<string, Float32Array> {
  const keys = [...matrix.queries, ...matrix.candidates];
  const bytes = readFileSync(`${FOLDER}/embeddings.bin`);
  const dimension = bytes.length / 4 / keys.length;
  return new Map(
    keys.map((key, row) => [
      key,
      Float32Array.from({ length: dimension }, (_, i) => bytes.readFloatLE((row * dimension + i) * 4)),
    ]),
  );
}
