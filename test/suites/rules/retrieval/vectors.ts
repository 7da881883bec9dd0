/** The synthetic threads of ../shared, as retrieval sees them, and what the original made of them. */
import { readFileSync } from 'node:fs';
import {
  type AnswerOption,
  retrievalRecords,
  THREAD_TYPES,
  threadKey,
} from '../../../../src/suites/rules/index.ts';
import type { RetrievalRecord, Similarities } from '../../../../src/suites/rules/retrieval/store/index.ts';
import { sharedFile } from '../../../oracle/shared.ts';
import { sharedPairs } from '../data.ts';

export const FOLDER = sharedFile('vectors/rules/retrieval');

interface Matrix {
  readonly file: string;
  readonly shape: readonly [number, number];
  readonly queries: readonly string[];
  readonly candidates: readonly string[];
}

/** What the original knows of a thread; one whose comment is not hydrated is not there. */
export interface KnownRecord {
  readonly thread_type: string;
  readonly mod_comment_id: string;
  readonly subreddit: string;
  readonly subreddit_cluster_id: number;
  readonly rule_cluster_id: number;
  readonly correct_rule: string;
}

export interface Keys {
  readonly test_to_train_float16: Matrix;
  readonly test_to_train_float32: Matrix;
  readonly test_to_test_float16: Matrix;
  readonly source_pairs: {
    readonly train_with_media: readonly string[];
    readonly test_with_media: readonly string[];
  };
  readonly records: Readonly<Record<string, KnownRecord>>;
}

export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as T;
}

export function readJsonLines<T>(file: string): T[] {
  const lines = readFileSync(`${FOLDER}/${file}`, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}

export type SplitName = 'test' | 'train';

const FILES = { test: 'dataset.json', train: 'train.json' } as const;

export function recordsOf(split: SplitName): RetrievalRecord[] {
  return retrievalRecords(split, sharedPairs(FILES[split]));
}

/** The options of every thread of the test split. */
export function optionsOf(): Map<string, readonly AnswerOption[]> {
  const entries = sharedPairs(FILES.test).flatMap((pair) =>
    THREAD_TYPES.map((type) => [threadKey('test', pair, type), pair.threads[type].options] as const),
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
