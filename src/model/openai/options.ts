/** What an API model is opened with: checked in one place, with its defaults. */
import { z } from 'zod';
import { AuditError } from '../../errors.ts';
import { SYSTEM_ROLES, type SystemRole } from '../../prompt/index.ts';
import { type PriceTable, priceTable } from './prices.ts';

export const PREFIX = 'openai:';
const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const MIB = 2 ** 20;

export const APIS = ['chat', 'completions'] as const;
/** Which of an endpoint's two ways of asking is used. */
export type Api = (typeof APIS)[number];

export const SAMPLINGS = ['asked', 'preset'] as const;

/** How an OpenAI-compatible endpoint is asked. */
export interface ApiOptions {
  /** Where the endpoint is, `/v1` included; default: OPENAI_BASE_URL, or OpenAI's own. */
  readonly baseUrl?: string;
  /** Default `chat`: a text is asked as a user's message. With `completions` texts are continued as they are. */
  readonly api?: Api;
  /** Such as `flex`; left out, it is not sent. */
  readonly serviceTier?: string;
  /** Most requests that are on their way at a time; default 8. */
  readonly concurrency?: number;
  /** How often a request is sent at most where the endpoint fails; default 6. */
  readonly attempts?: number;
  /** How long one attempt may take before it is given up, in ms; default ten minutes. */
  readonly timeoutMs?: number;
  /** Take answers as a stream of pieces; default false. */
  readonly stream?: boolean;
  /** `asked`: temperature, top_p and seed as a suite asks. `preset`: none is sent, the endpoint's own hold. Default `asked`. */
  readonly sampling?: (typeof SAMPLINGS)[number];
  /**
   * Messages of the system for an endpoint that has no such role. `auto`: put in front of the user's message where the endpoint
   * refuses them; `fold`: always; `keep`: never. Default `auto`.
   */
  readonly systemRole?: SystemRole;
  /** How long a server that says that it is loading its model is waited for, in ms; default ten minutes. */
  readonly loadingTimeoutMs?: number;
  /** Follow redirects to another host; the key is not sent there. Default false: they are refused. */
  readonly allowRedirect?: boolean;
  /** What tokens cost, by model; a model that it lacks has no known cost. */
  readonly prices?: PriceTable;
  /** Journal of answers: what stands in it is not asked again. Left out, answers are not kept. */
  readonly answers?: string;
  /** What image paths start from; default: the working folder. */
  readonly imageRoot?: string;
  /** Largest image file, in bytes; default 20 MiB. */
  readonly maxImageBytes?: number;
}

export type ResolvedApiOptions = Required<Omit<ApiOptions, 'serviceTier' | 'prices' | 'answers'>> & {
  readonly model: string;
  readonly serviceTier: string | null;
  readonly prices: PriceTable;
  readonly answers: string | null;
};

const whole = (least: number, most: number) => z.int().min(least).max(most);

const schema = z.strictObject({
  baseUrl: z.string().optional(),
  api: z.enum(APIS).default('chat'),
  serviceTier: z.string().min(1).nullable().default(null),
  concurrency: whole(1, 1024).default(8),
  attempts: whole(1, 100).default(6),
  timeoutMs: whole(1, 2 ** 31 - 1).default(600_000),
  stream: z.boolean().default(false),
  sampling: z.enum(SAMPLINGS).default('asked'),
  systemRole: z.enum(SYSTEM_ROLES).default('auto'),
  loadingTimeoutMs: whole(0, 2 ** 31 - 1).default(600_000),
  allowRedirect: z.boolean().default(false),
  prices: priceTable.default({}),
  answers: z.string().min(1).nullable().default(null),
  imageRoot: z.string().default('.'),
  maxImageBytes: whole(1, 512 * MIB).default(20 * MIB),
});

export function isApiModel(model: string): boolean {
  return model.startsWith(PREFIX);
}

function fault(key: string, message: string): AuditError {
  return new AuditError('bad_argument', `${key} ${message}`, { key });
}

/** Without a slash at its end. What could hold a secret is refused, because the address is written into manifests. */
function checkedUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw fault('baseUrl', 'is no address; give one such as http://127.0.0.1:8000/v1');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw fault('baseUrl', `begins with ${url.protocol}//; give an address with http or https`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    const message =
      'holds a user, a password, a query or a fragment, which would be written into the manifest; give the key as OPENAI_API_KEY and the address alone';
    throw fault('baseUrl', message);
  }
  return url.href.replace(/\/+$/, '');
}

/** Throws `bad_argument`, naming the option. `env` has OPENAI_BASE_URL. */
export function resolveApiOptions(
  model: string,
  given: ApiOptions,
  env: Readonly<Record<string, string | undefined>>,
): ResolvedApiOptions {
  const name = model.slice(PREFIX.length);
  if (!isApiModel(model) || name.trim() === '') {
    throw new AuditError('bad_argument', `"${model}" names no API model; give openai:MODEL`, { model });
  }
  const { data, error } = schema.safeParse(given);
  if (data === undefined) {
    const { path, message } = error.issues[0]!;
    throw fault(path.join('.') || 'the options', `cannot be: ${message}`);
  }
  const baseUrl = checkedUrl(data.baseUrl ?? (env.OPENAI_BASE_URL?.trim() || DEFAULT_BASE_URL));
  return { ...data, model: name, baseUrl };
}
