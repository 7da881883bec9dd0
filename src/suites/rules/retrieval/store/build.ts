/** `retrieval build`: two splits and an embedder become a matrix of similarities and its sidecar. */
import path from 'node:path';
import { AuditError } from '../../../../errors.ts';
import { writeAtomic } from '../../../../files/atomic.ts';
import type { Split } from './artifact.ts';
import { embedAll, type KeyedText } from './embed-all.ts';
import type { Embedder } from './embedder.ts';
import { type MatrixOptions, writeMatrix } from './matrix.ts';
import { checkKeys } from './pool.ts';
import { embeddedText, type HydratedRecord, isHydrated } from './record.ts';
import { hashTexts, matrixName, type Sidecar, type SidecarSide, sidecarPath } from './sidecar.ts';
import { VectorStore } from './vector-store.ts';

/** One side: a split, and what is put in front of each of its comments. */
export interface BuildSide extends Split {
  /** Default: nothing. */
  readonly prefix?: string;
}

/** Which two splits are compared, and with which embedding model. */
export interface BuildOptions {
  readonly queries: BuildSide;
  readonly candidates: BuildSide;
  readonly embedder: Embedder;
  /** Folder of the artifact and of the vectors, which further builds resume from. Made if need be. */
  readonly out: string;
  /** What the sidecar says of the data files and of the programs. */
  readonly data?: Sidecar['data'];
  readonly versions?: Sidecar['versions'];
  /**
   * Comments that are longer than the embedder takes are left out on both sides, and listed in the sidecar; default: they
   * are a fault. Nothing is ever cut.
   */
  readonly leaveOutTooLong?: boolean;
  /** For the products; default: every core. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  /** `embed` counts different texts, `compare` rows of the matrix. */
  readonly onProgress?: (step: 'embed' | 'compare', done: number, total: number) => void;
  /** See {@link MatrixOptions.blocks}. */
  readonly blocks?: MatrixOptions['blocks'];
}

export interface BuiltRetrieval {
  /** The matrix. */
  readonly path: string;
  readonly sidecar: Sidecar;
}

interface PreparedSide extends Required<Pick<BuildSide, 'split' | 'prefix'>> {
  readonly records: readonly HydratedRecord[];
  readonly texts: readonly KeyedText[];
  readonly notHydrated: number;
}

/** A side when its vectors are there: their rows in the store, and what the sidecar says of it. */
interface EmbeddedSide {
  readonly rows: Uint32Array;
  readonly described: SidecarSide;
}

/**
 * Builds the artifact of two splits; one that is there is replaced, when the new one is whole. Throws `data_empty` for a
 * split without a hydrated comment, `data_malformed` for a thread that is there twice, and what the embedder, the store of
 * vectors and the disk throw. Cancelled or killed, the next call resumes it.
 */
export async function buildRetrieval(options: BuildOptions): Promise<BuiltRetrieval> {
  const { embedder, out, signal, onProgress } = options;
  const queries = prepare(options.queries);
  const candidates = prepare(options.candidates);
  const store = await VectorStore.open(out, embedder.identity);
  try {
    const rows = await embedAll([...queries.texts, ...candidates.texts], store, embedder, {
      leaveOutTooLong: options.leaveOutTooLong,
      signal,
      onProgress: (done, total) => onProgress?.('embed', done, total),
    });
    const matrix = path.join(out, matrixName(queries.split, candidates.split));
    const left = embedded(queries, rows.slice(0, queries.texts.length));
    const right = embedded(candidates, rows.slice(queries.texts.length));
    const sides = { queries: left.rows, candidates: right.rows };
    const written = await writeMatrix(matrix, store, sides, {
      threads: options.threads,
      signal,
      onProgress: (done, total) => onProgress?.('compare', done, total),
      ...(options.blocks ? { blocks: options.blocks } : {}),
    });
    const sidecar: Sidecar = {
      format: 'logit-audit-retrieval',
      version: 1,
      similarity: 'cosine',
      dtype: 'float16',
      byteOrder: 'little',
      layout: 'row-major, queries x candidates',
      shape: [left.rows.length, right.rows.length],
      ...written,
      queries: left.described,
      candidates: right.described,
      embedder: {
        ...embedder.identity,
        settings: { ...embedder.identity.settings },
        dimension: store.dimension!,
      },
      data: options.data ?? [],
      versions: options.versions ?? {},
    };
    await writeAtomic(sidecarPath(matrix), [`${JSON.stringify(sidecar, null, 2)}\n`]);
    return { path: matrix, sidecar };
  } finally {
    await store.close();
  }
}

function prepare({ split, records, prefix = '' }: BuildSide): PreparedSide {
  checkKeys(records);
  const hydrated = records.filter(isHydrated);
  if (hydrated.length === 0) {
    const message = `split ${split} has no thread with a hydrated target comment; hydrate its data first`;
    throw new AuditError('data_empty', message, { key: split });
  }
  return {
    split,
    prefix,
    records: hydrated,
    texts: hydrated.map((record) => ({ key: record.key, text: embeddedText(record, prefix) })),
    notHydrated: records.length - hydrated.length,
  };
}

/** Throws `data_empty` where no comment of the side has a vector. */
function embedded(
  { split, prefix, records, notHydrated }: PreparedSide,
  rows: readonly (number | null)[],
): EmbeddedSide {
  const kept = records.filter((_, index) => rows[index] !== null);
  const leftOut = records.filter((_, index) => rows[index] === null);
  if (kept.length === 0) {
    const message = `every comment of split ${split} is longer than the embedder takes; give it a longer context`;
    throw new AuditError('data_empty', message, { key: split });
  }
  return {
    rows: Uint32Array.from(rows.filter((row) => row !== null)),
    described: {
      split,
      prefix,
      keys: kept.map(({ key }) => key),
      tooLong: leftOut.map(({ key }) => key),
      textsSha256: hashTexts([...kept, ...leftOut], prefix),
      notHydrated,
    },
  };
}
