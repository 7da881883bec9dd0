/** Every text of both sides embedded once, and kept. */
import { AuditError, toAuditError } from '../../../../errors.ts';
import { normalizeRows } from '../../../../numbers/index.ts';
import type { Embedder } from './embedder.ts';
import { textHash, type VectorStore } from './vector-store.ts';

/** Texts that go to the embedder at a time, where it says nothing else: a window of the engine. */
const ONE_WINDOW = { texts: 128, atOnce: 1 };

/** The code of a text that is longer than the embedder takes. */
const TOO_LONG = 'context_overflow';

/** How many faulty texts an error names. */
const NAMED = 3;

/** A thread's key, and the text that is embedded for it. */
export interface KeyedText {
  readonly key: string;
  readonly text: string;
}

export interface EmbedOptions {
  /** Texts that are longer than the embedder takes have no vector, instead of being a fault. */
  readonly leaveOutTooLong?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** After every window: texts that have a vector, of all different ones. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

interface Missing extends KeyedText {
  readonly hash: string;
}

interface Fault {
  readonly key: string;
  readonly error: AuditError;
}

/**
 * Sees to it that the store has a vector of each text, and returns the row of each: null for one that was left out. Equal
 * texts share one, so that they are equally similar to anything. A text that cannot be embedded is reported when all others are
 * done and kept: a second try repeats it alone. Throws its code, with the keys; `cancelled`, and what the embedder and the
 * store throw.
 */
export async function embedAll(
  texts: readonly KeyedText[],
  store: VectorStore,
  embedder: Embedder,
  { leaveOutTooLong = false, signal, onProgress }: EmbedOptions,
): Promise<(number | null)[]> {
  const hashes = texts.map(({ text }) => textHash(text));
  const different = new Map<string, Missing>();
  texts.forEach((text, index) => {
    const hash = hashes[index]!;
    if (!different.has(hash)) different.set(hash, { ...text, hash });
  });
  const missing = [...different.values()].filter(({ hash }) => !store.has(hash));
  const faults: Fault[] = [];
  let done = different.size - missing.length;
  onProgress?.(done, different.size);
  const { texts: size, atOnce } = embedder.calls ?? ONE_WINDOW;
  await eachWindow(missing, size, atOnce, signal, async (window, both) => {
    faults.push(...(await embedWindow(window, store, embedder, both)));
    done += window.length;
    onProgress?.(done, different.size);
  }).catch((thrown) => {
    const { code } = toAuditError(thrown);
    if (code !== 'cancelled') throw thrown;
    throw new AuditError('cancelled', `cancelled after ${done} texts, which are kept`);
  });
  const places = new Map(missing.map(({ key }, place) => [key, place]));
  faults.sort((a, b) => places.get(a.key)! - places.get(b.key)!);
  const reported = leaveOutTooLong ? faults.filter(({ error }) => error.code !== TOO_LONG) : faults;
  if (reported.length > 0) throw faultOf(reported, different.size);
  return hashes.map((hash) => (store.has(hash) ? store.rowOf(hash) : null));
}

/**
 * Windows of `size` texts, `atOnce` at a time, the next one as soon as one is done. After a fault none begins, those on their
 * way are stopped, and the fault is thrown.
 */
async function eachWindow(
  all: readonly Missing[],
  size: number,
  atOnce: number,
  signal: AbortSignal | undefined,
  embed: (window: readonly Missing[], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  let next = 0;
  let fault: unknown;
  const lane = async () => {
    while (next < all.length && !both.aborted) {
      const window = all.slice(next, next + size);
      next += size;
      try {
        await embed(window, both);
      } catch (thrown) {
        if (!stop.signal.aborted) fault = thrown;
        stop.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  if (fault !== undefined) throw fault;
  if (signal?.aborted) throw new AuditError('cancelled', 'cancelled');
}

async function embedWindow(
  window: readonly Missing[],
  store: VectorStore,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Fault[]> {
  const vectors = await embedder.embed(
    window.map(({ text }) => text),
    { signal },
  );
  if (vectors.length !== window.length) {
    throw new AuditError('internal', `${vectors.length} vectors of ${window.length} texts`);
  }
  const faults: Fault[] = [];
  const good: { hash: string; vector: Float32Array }[] = [];
  vectors.forEach((vector, index) => {
    const { key, hash } = window[index]!;
    if (vector instanceof AuditError) faults.push({ key, error: vector });
    else good.push({ hash, vector });
  });
  if (good.length > 0) {
    const joined = joinVectors(good.map(({ vector }) => vector));
    const dimension = joined.length / good.length;
    await store.append(
      good.map(({ hash }) => hash),
      await normalizeRows(joined, { dimension }),
    );
  }
  return faults;
}

function joinVectors(vectors: readonly Float32Array[]): Float32Array {
  const dimension = vectors[0]!.length;
  const joined = new Float32Array(vectors.length * dimension);
  vectors.forEach((vector, index) => {
    if (vector.length !== dimension) {
      const message = `the embedder gave vectors of ${dimension} and of ${vector.length} entries`;
      throw new AuditError('length_mismatch', message);
    }
    joined.set(vector, index * dimension);
  });
  return joined;
}

function faultOf(faults: readonly Fault[], all: number): AuditError {
  const { error } = faults[0]!;
  const keys = faults.map(({ key }) => key);
  const named = keys.slice(0, NAMED).join(', ') + (keys.length > NAMED ? ', ...' : '');
  const message = `${keys.length} of ${all} comments cannot be embedded (${named}): ${error.message}; the others are kept for a second try`;
  return new AuditError(error.code, message, { ...error.data, keys });
}
