/**
 * A backend without a model: every number is a function of the text, so that tests of the pipeline know what must
 * come out. A text with "too long" fails, as an overlong one does. Pairs are observed at their ends; scored texts have
 * a token for each word. It puts no BOS in front: the first word has a probability where a request wants it, behind EOS.
 */
import { AuditError } from '../../src/errors.ts';
import type { Backend, EngineDescription } from '../../src/model/index.ts';
import { nothing } from '../../src/observation/empty.ts';
import type { Measure, Observations, ObserveRequest, Tokenizer } from '../../src/observation/observation.ts';

export const MOCK_ENGINE: EngineDescription = {
  options: {},
  llamaVersion: '0.0.0',
  builtFor: 'cpu',
  features: [],
  devices: [],
  metricsImplementation: 'cpu',
};

/** In (0, 1), different for different texts, and for the models that `model` tells apart. */
export function mockMass(text: string, group: number, model = ''): number {
  let hash = 7 + group;
  for (const character of model + text) hash = (hash * 31 + character.codePointAt(0)!) % 9973;
  return (hash + 1) / 20_000;
}

function mockToken(text: string): Int32Array {
  return Int32Array.of(Math.floor(mockMass(text.trim().toLowerCase(), 0) * 256));
}

/** The log-probability of a word of a scored text, whatever stands before it. */
export function mockLogProb(word: string, model = ''): number {
  return Math.log(mockMass(word, 0, model));
}

const wordsOf = (text: string) => text.split(' ');

const EOS = 0;

/** A text that is asked for: all of a pair's, or all continuations of a score. */
interface Asked {
  readonly index: number;
  readonly side: number;
  readonly text: string;
  readonly scored: boolean;
  /** What stands in front. */
  readonly front: readonly number[];
}

export class MockBackend implements Backend {
  /** Requests of every window, in the order in which they came. */
  readonly windows: (readonly ObserveRequest[])[] = [];
  /** Called before a window is answered. */
  onWindow: (window: number) => void = () => undefined;
  /** Which requests fail, by their first text. */
  fails = (text: string): boolean => text.includes('too long');

  /** `model` tells one mock model's numbers from another's. */
  constructor(
    readonly path: string,
    readonly model = '',
  ) {}

  get info() {
    return {
      path: this.path,
      parts: [this.path],
      adapters: [],
      devices: ['CPU'],
      description: 'mock',
      architecture: 'mock',
      parameters: 0,
      sizeBytes: 0,
      vocabSize: 256,
      contextLength: 64,
      trainedContextLength: 64,
      metricsImpl: 'cpu',
      metricsWarning: null,
      metricsMemory: 0,
      tokenizer: 'bytes',
      addsBos: false,
      bosToken: null,
      eosToken: EOS,
      bosText: null,
      eosText: '<end>',
      controlTokens: [],
      chatTemplate: null,
    };
  }

  readonly chatTemplate = null;

  /** One token a word; what it is matters to nobody here. */
  readonly tokenizer: Tokenizer = {
    vocabSize: 256,
    tokenize: async (text) => mockToken(text),
    tokenizeAll: async (texts) => texts.map(mockToken),
    pieces: async (tokens) => Array.from(tokens, (token) => `<${token}>`),
  };

  async observeWindow(
    requests: readonly ObserveRequest[],
    { groups, pairTopK }: Measure,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Observations> {
    this.onWindow(this.windows.length);
    this.windows.push(requests);
    if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
    const textsOf = (request: ObserveRequest) => {
      if (request.kind === 'score') return [...request.continuations];
      if (request.kind !== 'pair' && request.kind !== 'probe')
        throw new Error(`the mock backend does not ${request.kind}`);
      const prompts = request.kind === 'pair' ? [request.text, request.textSwap] : [request.text];
      return prompts.map((prompt) => {
        if (typeof prompt !== 'string') throw new Error('the mock backend renders no chats');
        return prompt;
      });
    };
    const failed = (request: ObserveRequest) => this.fails(textsOf(request)[0]!);
    const asked = requests.flatMap((request, index): Asked[] =>
      failed(request)
        ? []
        : textsOf(request).map((text, side) => ({
            index,
            side,
            text,
            scored: request.kind === 'score',
            front: request.kind === 'score' && request.scoreFirst ? [EOS] : [],
          })),
    );
    const rows = asked.filter(({ scored }) => !scored);
    const scores = asked
      .filter(({ scored }) => scored)
      .map((own) => {
        const logProbs = wordsOf(own.text)
          .slice(own.front.length === 0 ? 1 : 0)
          .map((word) => mockLogProb(word, this.model));
        return { ...own, logProbs, logProb: logProbs.reduce((sum, logProb) => sum + logProb, 0) };
      });
    const targets = scores.flatMap(({ index, side, text, front, logProbs }) =>
      logProbs.map((logProb, position) => ({
        index,
        side,
        position,
        token: mockToken(wordsOf(text)[position + 1 - front.length]!)[0]!,
        logProb,
      })),
    );
    const tokens = asked.map(({ text, scored, front }) =>
      scored ? [...front, ...wordsOf(text).map((word) => mockToken(word)[0]!)] : [7],
    );
    const pairs = requests.flatMap((request, index) =>
      failed(request) || request.kind !== 'pair' ? [] : [index],
    );
    const column = (value: number) => Float64Array.from(pairs, () => value);
    return {
      firstRequest: 0,
      requests: requests.length,
      rows: {
        rows: rows.length,
        request: Uint32Array.from(rows, ({ index }) => index),
        side: Uint32Array.from(rows, ({ side }) => side),
        position: Uint32Array.from(rows, () => 0),
        logsumexp: Float64Array.from(rows, () => 0),
        entropy: Float64Array.from(rows, () => 1),
        masses: Float64Array.from(
          rows.flatMap(({ text }) => groups.map((_, group) => mockMass(text, group, this.model))),
        ),
        topKIds: new Int32Array(0),
        topKProbs: new Float64Array(0),
      },
      pairs: {
        pairs: pairs.length,
        request: Uint32Array.from(pairs),
        row: Uint32Array.from(pairs, (request) => rows.findIndex(({ index }) => index === request)),
        rowSwap: Uint32Array.from(pairs, (request) => rows.findLastIndex(({ index }) => index === request)),
        jsd: column(0.375),
        klPQ: column(0.5),
        klQP: column(0.5),
        totalVariation: column(0.5),
        topK: pairTopK.map((k) => ({
          k,
          unionSize: Uint32Array.from(pairs, () => k),
          partial: column(0.125),
          lower: column(0.25),
          upper: column(0.5),
        })),
      },
      scores: {
        scores: scores.length,
        request: Uint32Array.from(scores, ({ index }) => index),
        side: Uint32Array.from(scores, ({ side }) => side),
        logProb: Float64Array.from(scores, ({ logProb }) => logProb),
        tokens: Uint32Array.from(scores, ({ logProbs }) => logProbs.length),
        bytes: Uint32Array.from(scores, ({ text }) => Buffer.byteLength(text)),
        logProbPerToken: Float64Array.from(scores, ({ logProb, logProbs }) => logProb / logProbs.length),
        logProbPerByte: Float64Array.from(scores, ({ logProb, text }) => logProb / Buffer.byteLength(text)),
      },
      generations: {
        generations: 0,
        request: new Uint32Array(0),
        texts: [],
        finish: [],
        logProb: new Float64Array(0),
        ids: new Int32Array(0),
        offsets: Uint32Array.of(0),
      },
      followed: nothing().followed,
      embeddings: {
        embeddings: 0,
        dimensions: 0,
        request: new Uint32Array(0),
        values: new Float32Array(0),
      },
      targets: {
        targets: targets.length,
        request: Uint32Array.from(targets, ({ index }) => index),
        side: Uint32Array.from(targets, ({ side }) => side),
        position: Uint32Array.from(targets, ({ position }) => position),
        token: Int32Array.from(targets, ({ token }) => token),
        logProb: Float64Array.from(targets, ({ logProb }) => logProb),
        rank: Uint32Array.from(targets, () => 1),
      },
      sequences: {
        sequences: asked.length,
        request: Uint32Array.from(asked, ({ index }) => index),
        side: Uint32Array.from(asked, ({ side }) => side),
        backedOff: new Uint8Array(asked.length),
        ids: Int32Array.from(tokens.flat()),
        offsets: Uint32Array.from(
          { length: asked.length + 1 },
          (_, index) => tokens.slice(0, index).flat().length,
        ),
      },
      asked: requests.map((request) => ({ texts: textsOf(request), special: false, chats: [] })),
      failures: requests.flatMap((request, index) =>
        failed(request)
          ? [{ request: index, code: 'context_overflow' as const, message: 'too long', data: { tokens: 99 } }]
          : [],
      ),
      decodedTokens: rows.length,
      naiveTokens: rows.length,
    };
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
