/** What stands beside a matrix of similarities: what it holds, what it was made of, and its checksum. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AuditError } from '../../../../errors.ts';
import { readJsonFile } from '../../../../files/json-file.ts';
import { embeddedText, type HydratedRecord } from './record.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const sideSchema = z.strictObject({
  split: z.string(),
  /** In front of every text of this side. */
  prefix: z.string(),
  /** Of the rows or the columns, in order. */
  keys: z.array(z.string()).min(1),
  /** Threads without a row or column, because their comment is longer than the embedder takes. */
  tooLong: z.array(z.string()),
  /** Over every key of both lists and its text, in order; see {@link hashTexts}. */
  textsSha256: sha256,
  /** Threads of the split that were left out because their comment was not hydrated. */
  notHydrated: z.int().min(0),
});

const sidecarSchema = z.strictObject({
  format: z.literal('logit-audit-retrieval'),
  version: z.literal(1),
  similarity: z.literal('cosine'),
  dtype: z.literal('float16'),
  byteOrder: z.literal('little'),
  layout: z.literal('row-major, queries x candidates'),
  shape: z.tuple([z.int().min(1), z.int().min(1)]),
  bytes: z.int().min(1),
  sha256,
  queries: sideSchema,
  candidates: sideSchema,
  embedder: z.strictObject({
    kind: z.string(),
    name: z.string(),
    sha256: sha256.nullable(),
    settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    dimension: z.int().min(1),
  }),
  /** The data files, without their folders. */
  data: z.array(z.strictObject({ file: z.string(), sha256 })),
  versions: z.record(z.string(), z.string()),
});

export type Sidecar = z.infer<typeof sidecarSchema>;
export type SidecarSide = z.infer<typeof sideSchema>;

const REMEDY = 'run "logit-audit retrieval build" again';

const MATRIX = '.f16';

/** `DIR/test_to_train_target_comment_similarity.f16`: where the matrix of two splits lies. */
export function matrixName(querySplit: string, candidateSplit: string): string {
  return `${querySplit}_to_${candidateSplit}_target_comment_similarity${MATRIX}`;
}

/** The sidecar of a matrix. Throws `bad_argument` for a path that does not end in .f16. */
export function sidecarPath(matrix: string): string {
  if (matrix.endsWith(MATRIX)) return `${matrix.slice(0, -MATRIX.length)}.summary.json`;
  const message = `${matrix} is no artifact of "logit-audit retrieval build"; give its ${MATRIX} file`;
  throw new AuditError('bad_argument', message, { file: matrix });
}

/** Over the keys and texts of records, in order, so that a changed comment shows. */
export function hashTexts(records: readonly HydratedRecord[], prefix: string): string {
  const hash = createHash('sha256');
  for (const record of records) {
    hash.update(`${JSON.stringify([record.key, embeddedText(record, prefix)])}\n`);
  }
  return hash.digest('hex');
}

/** Throws `file_not_found`, `file_unreadable`, or `data_malformed` for what is no sidecar of this version. */
export async function readSidecar(file: string): Promise<Sidecar> {
  const sidecar = await readJsonFile(file, sidecarSchema, REMEDY);
  const { shape, bytes, queries, candidates } = sidecar;
  const [rows, columns] = shape;
  if (queries.keys.length !== rows || candidates.keys.length !== columns || bytes !== rows * columns * 2) {
    const message = `${file} says ${rows} x ${columns}, which its keys or its bytes do not; ${REMEDY}`;
    throw new AuditError('data_malformed', message, { file });
  }
  return sidecar;
}
