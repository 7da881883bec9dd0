/** Options of API models, which every command that asks a model has; and such a model opened by its flags. */
import path from 'node:path';
import { type Command, Option } from 'commander';
import { readJsonFile } from '../files/json-file.ts';
import {
  APIS,
  type Api,
  type ApiEmbedderOptions,
  type OpenApiOptions,
  type OpenedModel,
  openAny,
  optionsOf,
  priceTable,
  SAMPLINGS,
  type Usage,
} from '../model/index.ts';
import { note, warn } from './exit.ts';
import { addOnce, type EngineFlags, engineOptions, onlyGiven, wholeNumber } from './options.ts';

export interface EndpointFlags {
  baseUrl?: string;
  api?: Api;
  serviceTier?: string;
  concurrency?: number;
  attempts?: number;
  requestTimeout?: number;
  stream?: boolean;
  sampling?: (typeof SAMPLINGS)[number];
  loadingTimeout?: number;
  allowRedirect?: boolean;
  answers?: string;
  prices?: string;
}

/** What help says of --model. */
export const MODEL_HELP =
  'GGUF model (of one in parts, the first), or openai:MODEL behind an OpenAI-compatible endpoint';

/** Every option of API models, by its flag's name. */
const ENDPOINT_OPTIONS: Readonly<Record<keyof EndpointFlags, () => Option>> = {
  baseUrl: () =>
    new Option(
      '--base-url <url>',
      'address of the endpoint, /v1 included (default: OPENAI_BASE_URL, or that of OpenAI); the key is OPENAI_API_KEY',
    ),
  api: () =>
    new Option(
      '--api <api>',
      'chat: a text is asked as a message of the user; completions: texts are continued (default: chat)',
    ).choices(APIS),
  serviceTier: () => new Option('--service-tier <tier>', 'such as flex (default: none is sent)'),
  concurrency: () =>
    new Option('--concurrency <n>', 'most requests on their way at a time (default: 8)').argParser(
      wholeNumber(1),
    ),
  attempts: () =>
    new Option('--attempts <n>', 'how often a request is sent at most (default: 6)').argParser(
      wholeNumber(1),
    ),
  requestTimeout: () =>
    new Option('--request-timeout <seconds>', 'time limit of one attempt (default: 600)').argParser(
      wholeNumber(1),
    ),
  stream: () => new Option('--stream', 'take answers as streams'),
  sampling: () =>
    new Option(
      '--sampling <which>',
      "asked: temperature and seed as the suite asks; preset: the endpoint's own (default: asked)",
    ).choices(SAMPLINGS),
  loadingTimeout: () =>
    new Option(
      '--loading-timeout <seconds>',
      'how long a server that is loading its model is waited for (default: 600)',
    ).argParser(wholeNumber(0)),
  allowRedirect: () =>
    new Option(
      '--allow-redirect',
      'follow redirects to another host, where prompts and answers then go (the key does not)',
    ),
  answers: () =>
    new Option(
      '--answers <file>',
      'journal of answers to resume from: what is in it is not asked again (default: answers.jsonl in the run)',
    ),
  prices: () =>
    new Option(
      '--prices <file>',
      'JSON: {"MODEL": {"input": 0.15, "output": 0.6, "cachedInput": 0.075}}, per million tokens',
    ),
};

/** Options of a model that makes vectors. */
export const EMBEDDER_FLAGS = [
  'baseUrl',
  'concurrency',
  'attempts',
  'requestTimeout',
  'loadingTimeout',
  'allowRedirect',
  'prices',
] as const;

/** Adds options of API models to a command; by default all of them. */
export function withEndpointOptions(
  command: Command,
  flags: readonly (keyof EndpointFlags)[] = Object.keys(ENDPOINT_OPTIONS) as (keyof EndpointFlags)[],
): Command {
  for (const flag of flags) addOnce(command, ENDPOINT_OPTIONS[flag]());
  return command;
}

const PRICES = 'give {"MODEL": {"input": 0.15, "output": 0.6}}, per million tokens';

/** Says once of each reason that is given that it is waited for. */
function waitingTold(limit = 600): (reason: string) => void {
  const said = new Set<string>();
  return (reason) => {
    if (said.has(reason)) return;
    said.add(reason);
    warn(`${reason}; waiting, for ${limit} s at most (--loading-timeout)`);
  };
}

type EmbedderFlags = Pick<EndpointFlags, (typeof EMBEDDER_FLAGS)[number]>;

/** What every kind of request is sent with. */
async function sending(flags: EmbedderFlags) {
  const { baseUrl, concurrency, attempts, requestTimeout, loadingTimeout, allowRedirect, prices } = flags;
  return {
    baseUrl,
    loadingTimeoutMs: loadingTimeout === undefined ? undefined : loadingTimeout * 1000,
    allowRedirect,
    onWait: waitingTold(loadingTimeout),
    concurrency,
    attempts,
    timeoutMs: requestTimeout === undefined ? undefined : requestTimeout * 1000,
    prices: prices === undefined ? undefined : await readJsonFile(prices, priceTable, PRICES),
  };
}

/** `out` is the folder of the run. */
async function endpointOptions(flags: EngineFlags & EndpointFlags, out: string): Promise<OpenApiOptions> {
  const { api, serviceTier, stream, sampling, systemRole, answers } = flags;
  return onlyGiven({
    ...(await sending(flags)),
    api,
    serviceTier,
    stream,
    sampling,
    systemRole,
    // What a suite does not need is not asked about.
    probe: 'needed' as const,
    answers: answers ?? path.join(out, 'answers.jsonl'),
  });
}

/** For a model that makes vectors. */
export async function embedderOptions(flags: EmbedderFlags): Promise<ApiEmbedderOptions> {
  return onlyGiven(await sending(flags));
}

/** Opens what needs no endpoint, and tells what of it is not as wanted. */
async function openLocal(model: string, flags: EngineFlags): Promise<OpenedModel> {
  const opened = await openAny(model, { engine: engineOptions(flags), onNote: note });
  const { metricsWarning } = opened.backend.info;
  if (metricsWarning !== null) warn(metricsWarning);
  return opened;
}

export interface OpenedByFlags {
  /** Folder of the run. */
  readonly out: string;
  readonly imageRoot?: string | undefined;
  readonly signal: AbortSignal;
  readonly onAnswer?: (usage: Usage) => void;
}

/**
 * Opens what --model names, and tells what of it is not as wanted. Flags of the other kinds of models are none of its
 * business.
 */
export async function openByFlags(
  model: string,
  flags: EngineFlags & EndpointFlags,
  { out, imageRoot, signal, onAnswer }: OpenedByFlags,
): Promise<OpenedModel> {
  if (optionsOf(model) !== 'endpoint') return openLocal(model, flags);
  const endpoint = {
    ...(await endpointOptions(flags, out)),
    signal,
    ...(imageRoot === undefined ? {} : { imageRoot }),
    ...(onAnswer ? { onAnswer } : {}),
  };
  return openAny(model, { endpoint });
}
