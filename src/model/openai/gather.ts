/** An answer that came as a stream of pieces, put together as it would have come whole. */
import { saidFinish } from './finish.ts';
import { choiceIn, faultIn, indexOf, isFields } from './words.ts';

type Fields = Record<string, unknown>;

/** Texts of a choice that grow from piece to piece. */
const REASONING = ['reasoning_content', 'reasoning', 'thinking'] as const;
const SAID_ONCE = [
  'finish_reason',
  'native_finish_reason',
  'stop_reason',
  'finishReason',
  'matched_stop',
  'usage',
  'error',
  'content_filter_results',
] as const;

/** Texts that follow one another are one; parts of another kind stay as they are. */
class Growing {
  readonly #parts: unknown[] = [];

  add(value: unknown): void {
    if (value === null || value === undefined) return;
    for (const part of Array.isArray(value) ? value : [value]) {
      const last = this.#parts.at(-1);
      if (typeof part === 'string' && typeof last === 'string')
        this.#parts[this.#parts.length - 1] = last + part;
      else this.#parts.push(part);
    }
  }

  get value(): unknown {
    const [first] = this.#parts;
    if (this.#parts.length === 0) return '';
    return this.#parts.length === 1 && typeof first === 'string' ? first : this.#parts;
  }
}

/** Lists of tokens grow too: `content` of chats, and the columns of completions. */
function addLogProbs(all: Fields, own: unknown): void {
  if (own === null || own === undefined) return;
  if (!isFields(own)) {
    all.content ??= own;
    return;
  }
  for (const [key, value] of Object.entries(own)) {
    if (Array.isArray(value) && Array.isArray(all[key])) (all[key] as unknown[]).push(...value);
    else if (value !== null && value !== undefined) all[key] = Array.isArray(value) ? [...value] : value;
  }
}

export interface Gathered {
  readonly raw: unknown;
  /** It said how it ended. */
  readonly finished: boolean;
}

const hasText = (value: unknown) => value !== null && value !== undefined && value !== '';

/** The raw answer, for the same checks as any other. */
export function gather(pieces: readonly unknown[]): Gathered {
  const head: Fields = {};
  const end: Fields = {};
  const logprobs: Fields = {};
  const texts = new Map<string, Growing>();
  // Of several answers, where one was asked for, the first.
  const numbers = pieces.map((piece) => {
    const own = isFields(piece) ? choiceIn(piece.choices) : null;
    return own === null ? null : indexOf(own);
  });
  const index = numbers.includes(0) ? 0 : (numbers.find((own) => own !== null) ?? 0);
  let choices = 0;
  let grown = false;
  const grow = (key: string, value: unknown) => {
    const text = texts.get(key) ?? new Growing();
    texts.set(key, text);
    text.add(value);
  };
  for (const piece of pieces) {
    if (!isFields(piece)) continue;
    const fault = faultIn(piece);
    for (const [key, value] of Object.entries(piece)) {
      if (key !== 'choices' && value !== null && value !== undefined) head[key] = value;
    }
    if (fault && head.error === undefined) head.error = piece.error ?? fault.words;
    const choice = choiceIn(piece.choices, index);
    if (choice === null) continue;
    choices += 1;
    const delta = isFields(choice.delta) ? choice.delta : isFields(choice.message) ? choice.message : choice;
    const keys = ['content', 'refusal', ...REASONING];
    // Behind the pieces of a message some servers send all of it again.
    const again = grown && delta === choice.message;
    if (again) for (const key of keys) if (hasText(delta[key])) texts.delete(key);
    grown ||= delta === choice.delta && keys.some((key) => hasText(delta[key]));
    for (const key of keys) grow(key, delta[key]);
    if (delta.tool_calls != null) end.tool_calls = delta.tool_calls;
    grow('text', choice.text);
    for (const key of SAID_ONCE) if (choice[key] != null && choice[key] !== '') end[key] = choice[key];
    addLogProbs(logprobs, choice.logprobs);
  }
  if (choices === 0) return { raw: { ...head, choices: [] }, finished: false };
  const of = (key: string) => texts.get(key)?.value ?? '';
  const reasoning = Object.fromEntries(REASONING.map((key) => [key, of(key)]));
  const { tool_calls, ...rest } = end;
  const message = { content: of('content'), refusal: of('refusal'), ...reasoning, tool_calls };
  const listed = Object.keys(logprobs).length === 0 ? null : logprobs;
  return {
    raw: { ...head, choices: [{ message, text: of('text'), logprobs: listed, ...rest }] },
    finished: saidFinish(end) !== undefined,
  };
}
