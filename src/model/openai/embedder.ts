/** A model behind an endpoint that makes vectors of texts: several requests of several texts each at a time. */
import { z } from 'zod';
import { AuditError, toAuditError } from '../../errors.ts';
import type { Usage } from '../usage.ts';
import { FailureCount, isOfRequest } from './blame.ts';
import { saysTooLong } from './embeddings.ts';
import { Endpoint } from './endpoint.ts';
import { type ApiOptions, resolveApiOptions } from './options.ts';
import { REAL, type Runtime } from './runtime.ts';
import { readSecret } from './secret.ts';
import { askTogether, Limiter } from './together.ts';
import { UsageCounter } from './usage.ts';

/** How an endpoint embeds texts. */
export interface ApiEmbedderOptions
  extends Pick<
    ApiOptions,
    'baseUrl' | 'concurrency' | 'attempts' | 'timeoutMs' | 'loadingTimeoutMs' | 'allowRedirect' | 'prices'
  > {
  /** Called before each wait for a server that is loading its model, with what it says. */
  readonly onWait?: (reason: string) => void;
  /** Entries of a vector, for models that make shorter ones; default: as many as the model makes. */
  readonly dimensions?: number;
  /** Most texts in one request; default 32. */
  readonly textsPerRequest?: number;
}

const own = z.strictObject({
  dimensions: z.int().min(1).nullable().default(null),
  textsPerRequest: z.int().min(1).max(2048).default(32),
});

/** What its vectors depend on beside their texts. No key, and no address that could hold one. */
export interface ApiEmbedderIdentity {
  readonly kind: 'openai';
  readonly name: string;
  readonly sha256: null;
  readonly settings: { readonly baseUrl: string; readonly dimensions: number | null };
}

export class ApiEmbedder {
  readonly identity: ApiEmbedderIdentity;
  /** How it is best asked. */
  readonly calls: { readonly texts: number; readonly atOnce: number };
  readonly #endpoint: Endpoint;
  readonly #limiter: Limiter;
  readonly #usage: UsageCounter;
  readonly #failures = new FailureCount();

  /** Use {@link openApiEmbedder}. */
  constructor(model: string, given: ApiEmbedderOptions, runtime: Runtime) {
    const { dimensions, textsPerRequest, onWait, ...rest } = given;
    const { data, error } = own.safeParse({ dimensions, textsPerRequest });
    if (data === undefined) {
      const { path, message } = error.issues[0]!;
      const key = path.join('.');
      throw new AuditError('bad_argument', `${key} cannot be: ${message}`, { key });
    }
    const options = resolveApiOptions(model, rest, runtime.env);
    const { model: name, baseUrl, concurrency, prices } = options;
    this.identity = {
      kind: 'openai',
      name,
      sha256: null,
      settings: { baseUrl, dimensions: data.dimensions },
    };
    this.calls = { texts: data.textsPerRequest, atOnce: concurrency };
    const secret = readSecret(runtime.env, baseUrl);
    this.#endpoint = new Endpoint({ ...options, ...(onWait ? { onWait } : {}) }, secret, runtime);
    this.#limiter = new Limiter(concurrency);
    this.#usage = new UsageCounter(prices, name);
  }

  /** What was asked so far, and what it cost. */
  get usage(): Usage {
    return this.#usage.usage;
  }

  /**
   * A vector for each text, in order, as the endpoint gives it, or why there is none: `endpoint_refused`, `endpoint_failed`,
   * or `context_overflow` where it says that the text is too long. Throws what concerns all texts: `endpoint_refused` (the
   * key, the model), `endpoint_failed` where it is down, `cancelled`.
   */
  async embed(
    texts: readonly string[],
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<(Float32Array | AuditError)[]> {
    const { texts: most } = this.calls;
    const batches = Array.from({ length: Math.ceil(texts.length / most) }, (_, at) =>
      texts.slice(at * most, (at + 1) * most),
    );
    const vectors = await askTogether(batches, signal, (batch, both) =>
      this.#limiter.run(() => this.#vectors(batch, both)),
    );
    return vectors.flat();
  }

  async #vectors(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | AuditError)[]> {
    try {
      return [...(await this.#ask(texts, signal))];
    } catch (thrown) {
      const error = toAuditError(thrown);
      if (!isOfRequest(error)) throw error;
      if (texts.length === 1) return [ofText(error)];
    }
    // Which of them is at fault is found out by asking for each alone.
    const vectors: (Float32Array | AuditError)[] = [];
    for (const text of texts) vectors.push(...(await this.#vectors([text], signal)));
    return vectors;
  }

  async #ask(input: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { name, settings } = this.identity;
    const { dimensions } = settings;
    const body = {
      model: name,
      input,
      encoding_format: 'float' as const,
      ...(dimensions === null ? {} : { dimensions }),
    };
    try {
      const { value, attempts } = await this.#endpoint.embed(body, signal);
      this.#failures.answered();
      this.#usage.addAsked(value, attempts);
      return value.vectors;
    } catch (thrown) {
      throw this.#failures.failed(toAuditError(thrown), '; the vectors so far are kept');
    }
  }
}

/** A text that is too long has the code that it has on this machine too. */
function ofText(error: AuditError): AuditError {
  if (error.code !== 'endpoint_refused' || !saysTooLong(error.message)) return error;
  return new AuditError('context_overflow', error.message, error.data, { cause: error });
}

/**
 * `openai:MODEL` as something that makes vectors. Nothing is asked yet. The key is read from the environment variable
 * OPENAI_API_KEY. Throws `bad_argument` (an option, no key).
 */
export function openEmbedder(
  model: string,
  options: ApiEmbedderOptions = {},
  runtime: Runtime = REAL,
): ApiEmbedder {
  return new ApiEmbedder(model, options, runtime);
}
