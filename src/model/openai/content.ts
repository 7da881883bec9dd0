/** What a message holds: its text, its thoughts apart from it, or why it has no text. Nothing becomes text by accident. */
import { asJson, isFields, textOrNull } from './words.ts';

export interface Content {
  readonly text: string;
  readonly reasoning: string;
  /** What of it is neither. */
  readonly unknown: string | null;
}

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'output_text', undefined, null]);
const REASONING_TYPE = /^(?:thinking|reasoning|thought|redacted_thinking)/;
const REASONING_KEYS = ['thinking', 'reasoning', 'text', 'content', 'summary'] as const;
const MOST_DEPTH = 4;

const EMPTY: Content = { text: '', reasoning: '', unknown: null };

/** All texts within a part of thoughts. */
function thoughts(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > MOST_DEPTH) return '';
  if (Array.isArray(value)) return value.map((own) => thoughts(own, depth + 1)).join('');
  if (!isFields(value)) return '';
  const key = REASONING_KEYS.find((own) => value[own] !== undefined && value[own] !== null);
  return key === undefined ? '' : thoughts(value[key], depth + 1);
}

function partOf(part: unknown): Content {
  if (typeof part === 'string') return { ...EMPTY, text: part };
  if (!isFields(part)) return { ...EMPTY, unknown: asJson(part) };
  const { type, text, refusal } = part;
  if (typeof type === 'string' && REASONING_TYPE.test(type)) return { ...EMPTY, reasoning: thoughts(part) };
  if (type === 'refusal' && typeof refusal === 'string') return { ...EMPTY, text: refusal };
  // Google marks a thought beside its text.
  if (TEXT_TYPES.has(type) && typeof text === 'string') {
    return part.thought === true ? { ...EMPTY, reasoning: text } : { ...EMPTY, text };
  }
  return { ...EMPTY, unknown: asJson(part) };
}

/** Of `content` as servers send it: a text, a list of parts, one part, or nothing. */
export function readContent(content: unknown): Content {
  if (content === null || content === undefined) return EMPTY;
  if (typeof content === 'string') return { ...EMPTY, text: content };
  const parts = (Array.isArray(content) ? content : [content]).map(partOf);
  return {
    text: parts.map(({ text }) => text).join(''),
    reasoning: parts.map(({ reasoning }) => reasoning).join(''),
    unknown: parts.find(({ unknown }) => unknown !== null)?.unknown ?? null,
  };
}

/** Thoughts that stand beside the content, the first of the names under which servers put them. */
export function reasoningOf(message: Readonly<Record<string, unknown>>): string {
  for (const key of ['reasoning_content', 'reasoning', 'thinking', 'reasoning_details']) {
    const own = thoughts(message[key]);
    if (textOrNull(own) !== null) return own;
  }
  return '';
}
