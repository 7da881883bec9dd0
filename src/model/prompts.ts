/** Which parts of a request are prompts: the one place that knows, so that a new kind of request takes a line here. */
import type { ObserveRequest } from '../observation/observation.ts';
import type { ChatPrompt, Prompt } from '../prompt/index.ts';

const PROMPTS: { readonly [Kind in ObserveRequest['kind']]: readonly string[] } = {
  probe: ['text'],
  pair: ['text', 'textSwap'],
  score: ['prompt'],
  generate: ['prompt'],
  // A document: never a chat.
  embed: ['text'],
  list: [],
};

/** Keys of a request's prompts, in order of side. */
export function promptKeys({ kind }: ObserveRequest): readonly string[] {
  return PROMPTS[kind];
}

/** A request's prompts, in order of side. */
export function promptsOf(request: ObserveRequest): Prompt[] {
  const fields = request as unknown as Readonly<Record<string, Prompt>>;
  return promptKeys(request).map((key) => fields[key]!);
}

/** The same request with rendered texts as its prompts, to be read with special tokens as such. */
export function withTexts(request: ObserveRequest, texts: readonly string[]): ObserveRequest<string> {
  const fields = promptKeys(request).map((key, side) => [key, texts[side]]);
  return { ...request, ...Object.fromEntries(fields), special: true };
}

export function isChat(prompt: Prompt): prompt is ChatPrompt {
  return typeof prompt !== 'string';
}
