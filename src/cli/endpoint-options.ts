/** Options of API models, which every command that asks a model has; and such a model opened by its flags. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { AuditError } from '../errors.ts';
import { fileError } from '../file-error.ts';
import {
  APIS,
  type Api,
  isApiModel,
  type OpenApiOptions,
  type OpenedModel,
  openAny,
  type PriceTable,
  priceTable,
  SAMPLINGS,
  type Usage,
} from '../model/index.ts';
import { type EngineFlags, engineOptions, onlyGiven, wholeNumber } from './options.ts';
import { warn } from './warn.ts';

export interface EndpointFlags {
  baseUrl?: string;
  api?: Api;
  serviceTier?: string;
  concurrency?: number;
  attempts?: number;
  requestTimeout?: number;
  stream?: boolean;
  sampling?: (typeof SAMPLINGS)[number];
  answers?: string;
  prices?: string;
}

/** What help says of --model. */
export const MODEL_HELP =
  'GGUF model (of one in parts, the first), or openai:MODEL behind an OpenAI-compatible endpoint';

export function withEndpointOptions(command: Command): Command {
  return command
    .option(
      '--base-url <url>',
      'address of the endpoint, /v1 included (default: OPENAI_BASE_URL, or that of OpenAI); the key is OPENAI_API_KEY',
    )
    .addOption(
      new Option(
        '--api <api>',
        'chat: a text is asked as a message of the user; completions: texts are continued (default: chat)',
      ).choices(APIS),
    )
    .option('--service-tier <tier>', 'such as flex (default: none is sent)')
    .option('--concurrency <n>', 'most requests on their way at a time (default: 8)', wholeNumber(1))
    .option('--attempts <n>', 'how often a request is sent at most (default: 6)', wholeNumber(1))
    .option('--request-timeout <seconds>', 'time limit of one attempt (default: 600)', wholeNumber(1))
    .option('--stream', 'take answers as streams')
    .addOption(
      new Option(
        '--sampling <which>',
        "asked: temperature and seed as the suite asks; preset: the endpoint's own (default: asked)",
      ).choices(SAMPLINGS),
    )
    .option(
      '--answers <file>',
      'journal of answers, to go on from: what stands in it is not asked again (default: answers.jsonl in the run)',
    )
    .option(
      '--prices <file>',
      'JSON: {"MODEL": {"input": 0.15, "output": 0.6, "cachedInput": 0.075}}, per million tokens',
    );
}

function readPrices(file: string): PriceTable {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw fileError(file, cause);
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (cause) {
    throw new AuditError('data_malformed', `${file} is no valid JSON`, { file }, { cause });
  }
  const read = priceTable.safeParse(raw);
  if (read.success) return read.data;
  const { path: at, message } = read.error.issues[0]!;
  throw new AuditError('data_malformed', `${file}: ${at.map(String).join('.')}: ${message}`, { file });
}

/** `out` is the folder of the run. */
function endpointOptions(flags: EndpointFlags, out: string): OpenApiOptions {
  const { baseUrl, api, serviceTier, concurrency, attempts, requestTimeout, stream, sampling } = flags;
  const given = {
    baseUrl,
    api,
    serviceTier,
    concurrency,
    attempts,
    timeoutMs: requestTimeout === undefined ? undefined : requestTimeout * 1000,
    stream,
    sampling,
    prices: flags.prices === undefined ? undefined : readPrices(flags.prices),
    answers: flags.answers ?? path.join(out, 'answers.jsonl'),
  };
  return onlyGiven(given);
}

/** Opens what needs no endpoint, and tells what of it is not as wanted. Throws `not_supported` for a model behind one. */
export async function openLocal(model: string, flags: EngineFlags): Promise<OpenedModel> {
  if (isApiModel(model)) {
    const message = `${model} is behind an endpoint, and this command asks models of this machine alone; give a GGUF file`;
    throw new AuditError('not_supported', message, { model });
  }
  const opened = await openAny(model, { engine: engineOptions(flags) });
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
  if (!isApiModel(model)) return openLocal(model, flags);
  const endpoint = {
    ...endpointOptions(flags, out),
    signal,
    ...(imageRoot === undefined ? {} : { imageRoot }),
    ...(onAnswer ? { onAnswer } : {}),
  };
  return openAny(model, { endpoint });
}
