/** Tokens with their log-probabilities, as chats and as completions list them; what cannot be read is left out and said. */
import type { ListedToken } from '../../observation/observation.ts';
import { isFields } from './words.ts';

/** A token under the name that the endpoint has for it. */
export interface NamedToken {
  readonly text: string;
  /** Null for the first one of a given text. */
  readonly logProb: number | null;
  /** As the endpoint gives them; left out where it gives none. */
  readonly bytes?: readonly number[];
}

export interface ReadTokens {
  /** Those of the answer itself (with `echo`, of the given text too). */
  readonly written: readonly NamedToken[];
  /** Behind each of them the likeliest ones at its place, in descending order. */
  readonly tops: readonly (readonly ListedName[])[];
  /** What could not be read. */
  readonly fault: string | null;
}

export interface ListedName extends ListedToken {
  readonly bytes?: readonly number[];
}

/** In UTF-16 units. Vocabularies hold no longer one. */
const MOST_NAME = 4096;

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_NAME;
}

const NOTHING: ReadTokens = { written: [], tops: [], fault: null };

function bytesOf(value: unknown): readonly number[] | null {
  if (!Array.isArray(value)) return null;
  return value.every((own) => Number.isInteger(own) && own >= 0 && own <= 255) ? value : null;
}

/** JSON has no -Infinity: servers write -9999, or the like, or null. Undefined for what is no number. */
function logProbOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return Number.NEGATIVE_INFINITY;
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

function nameOf(value: unknown): ListedName | null {
  if (!isFields(value) || !isName(value.token)) return null;
  const { id, token } = value;
  const logProb = logProbOf(value.logprob);
  if (logProb === undefined) return null;
  const bytes = bytesOf(value.bytes);
  const key = Number.isSafeInteger(id)
    ? `#${id}`
    : bytes
      ? `b${Buffer.from(bytes).toString('hex')}`
      : `t${token}`;
  return { key, text: token, logProb, ...(bytes ? { bytes } : {}) };
}

function byFalling(tokens: ListedName[]): ListedName[] {
  return tokens.sort((a, b) => b.logProb - a.logProb);
}

function listOf(value: unknown): ListedName[] | null {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    const names = value.map(nameOf);
    return names.includes(null) ? null : byFalling(names as ListedName[]);
  }
  if (!isFields(value)) return null;
  const names = Object.entries(value).map(([text, own]) => ({
    key: `t${text}`,
    text,
    logProb: logProbOf(own),
  }));
  return names.some(({ text, logProb }) => logProb === undefined || !isName(text))
    ? null
    : byFalling(names as ListedName[]);
}

function faulty(what: string): ReadTokens {
  return { ...NOTHING, fault: `the listed log-probabilities cannot be read: ${what}` };
}

/** As chats have it; llama-server writes completions so too. */
function ofContent(content: readonly unknown[]): ReadTokens {
  const written = content.map(nameOf);
  const tops = content.map((own) => (isFields(own) ? listOf(own.top_logprobs) : null));
  if (written.includes(null) || tops.includes(null))
    return faulty('an entry is no token with a log-probability');
  return {
    written: (written as ListedName[]).map(({ text, logProb, bytes }) => ({
      text,
      logProb,
      ...(bytes ? { bytes } : {}),
    })),
    tops: tops as ListedName[][],
    fault: null,
  };
}

/** As completions have it. */
function ofColumns(columns: Readonly<Record<string, unknown>>): ReadTokens {
  const { tokens, token_logprobs: values, top_logprobs: lists } = columns;
  if (!Array.isArray(tokens) || !tokens.every(isName)) return faulty('tokens');
  const given = Array.isArray(values) ? values : [];
  const numbers = tokens.map((_, at) => given[at] ?? null);
  if (!numbers.every((own) => own === null || typeof own === 'number')) return faulty('token_logprobs');
  const all = Array.isArray(lists) ? lists : [];
  const tops = tokens.map((_, at) => listOf(all[at]));
  if (tops.includes(null)) return faulty('top_logprobs');
  return {
    written: tokens.map((text: string, at) => ({ text, logProb: numbers[at] as number | null })),
    tops: tops as ListedName[][],
    fault: null,
  };
}

export function readTokens(logprobs: unknown): ReadTokens {
  if (logprobs === null || logprobs === undefined) return NOTHING;
  if (Array.isArray(logprobs)) return logprobs.length === 0 ? NOTHING : ofContent(logprobs);
  if (!isFields(logprobs)) return faulty('logprobs');
  if (logprobs.tokens !== undefined) return ofColumns(logprobs);
  const { content } = logprobs;
  if (content === null || content === undefined) return NOTHING;
  if (Array.isArray(content)) return content.length === 0 ? NOTHING : ofContent(content);
  return faulty('content');
}
