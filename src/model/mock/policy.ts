/**
 * Built-in mock models: they answer by a rule instead of a model, so that a benchmark can be shown and its scores
 * be held against what the rule must give. They read which answer stands for what from a request's `roles`, and are
 * no language models.
 */
import { createHash } from 'node:crypto';
import { AuditError } from '../../errors.ts';
import type { Measure, Observations, ObserveRequest, Tokenizer } from '../../observation/observation.ts';
import type { Backend, ModelInfo, ObserveOptions } from '../backend.ts';
import { checkRequests } from '../check.ts';
import { type EngineDescription, NO_ENGINE } from '../description.ts';
import { policyObservations } from './policy-answers.ts';

export const POLICY_PREFIX = 'policy:';

type Choose = (roles: Readonly<Record<string, string>>, asked: string) => string | undefined;

/** By name: which of the answers is given; `random` may have a seed behind a colon. */
const POLICIES: Readonly<Record<string, (seed: number) => Choose>> = {
  'always-unknown': () => (roles) => roles.unknown,
  'always-stereotype': () => (roles) => roles.stereotyped,
  'always-anti': () => (roles) => roles.antiStereotyped,
  random: (seed) => (roles, asked) => {
    const answers = Object.values(roles).sort();
    const hash = createHash('sha256').update(`${seed}\n${asked}`).digest();
    // 32 bits over three answers: none is likelier than another by more than a billionth.
    return answers[hash.readUInt32BE(0) % answers.length];
  },
};

export const POLICY_NAMES = Object.keys(POLICIES).map((name) => POLICY_PREFIX + name);

export function isPolicy(model: string): boolean {
  return model.startsWith(POLICY_PREFIX);
}

/** Opens a policy by its name, such as `policy:always-unknown` or `policy:random:7`. Throws `bad_argument`. */
export function openPolicy(model: string): PolicyModel {
  const [name = '', seed, ...rest] = model.slice(POLICY_PREFIX.length).split(':');
  const seeded = seed === undefined || (name === 'random' && /^\d{1,15}$/.test(seed));
  if (!isPolicy(model) || !Object.hasOwn(POLICIES, name) || !seeded || rest.length > 0) {
    const message = `there is no built-in policy "${model}"; give ${POLICY_NAMES.join(', ')}, the last one with a seed behind a colon if you like`;
    throw new AuditError('bad_argument', message, { model });
  }
  return new PolicyModel(model, POLICIES[name]!(Number(seed ?? 0)));
}

/** What a manifest says of the engine where there is none. */
export const POLICY_ENGINE: EngineDescription = NO_ENGINE;

/** UTF-8 bytes. */
const BYTES: Tokenizer = {
  vocabSize: 256,
  tokenize: async (text) => Int32Array.from(Buffer.from(text)),
  tokenizeAll: async (texts) => texts.map((text) => Int32Array.from(Buffer.from(text))),
  pieces: async (tokens) => Array.from(tokens, (token) => Buffer.from([token]).toString('latin1')),
};

export class PolicyModel implements Backend {
  readonly info: ModelInfo;
  readonly tokenizer = BYTES;
  readonly chatTemplate = null;
  /** It needs none to answer, so questions about images may be put to it. */
  readonly seesImages = true;
  readonly #choose: Choose;

  constructor(path: string, choose: Choose) {
    this.#choose = choose;
    this.info = {
      path,
      parts: [],
      adapters: [],
      devices: ['none'],
      description: 'answers by a rule; no language model',
      architecture: 'policy',
      parameters: 0,
      sizeBytes: 0,
      vocabSize: 256,
      contextLength: null,
      trainedContextLength: null,
      metricsImpl: 'none',
      metricsWarning: null,
      metricsMemory: 0,
      tokenizer: 'bytes',
      addsBos: false,
      bosToken: null,
      eosToken: null,
      bosText: null,
      eosText: null,
      controlTokens: [],
      chatTemplate: null,
    };
  }

  /** Answers scores and generations that have roles; every other request is a failure of its own. */
  async observeWindow(
    requests: readonly ObserveRequest[],
    _measure: Measure,
    { signal }: ObserveOptions = {},
  ): Promise<Observations> {
    checkRequests(requests, 0);
    if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
    return policyObservations(requests, (request) => {
      if (request.kind !== 'score' && request.kind !== 'generate') return null;
      return this.#choose(request.roles ?? {}, JSON.stringify(request.prompt)) ?? null;
    });
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
