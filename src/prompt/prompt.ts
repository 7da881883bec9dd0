/** What a request takes as its prompt: a text, or a chat that the model renders with its own template. */
import { z } from 'zod';
import type { ChatMessage } from './messages.ts';
import type { ChatOptions } from './render.ts';

/** What of {@link ChatOptions} is a prompt's; the rest (template, texts of special tokens) is the model's. */
type PromptOptions = Pick<
  ChatOptions,
  'addGenerationPrompt' | 'append' | 'assistantPrefill' | 'closeThink' | 'extra' | 'now' | 'tools'
>;

/** A chat. It is tokenized with special tokens read as such, and with one BOS where the model wants one. */
export interface ChatPrompt extends PromptOptions {
  readonly messages: readonly ChatMessage[];
}

/** What a model is asked: a text, or a chat. */
export type Prompt = string | ChatPrompt;

/** The shape of a prompt. What messages hold comes from data, and is looked at when the chat is rendered. */
export const promptSchema = z.union([
  z.string(),
  z.strictObject({
    messages: z.array(z.unknown()),
    addGenerationPrompt: z.boolean().optional(),
    append: z.string().optional(),
    assistantPrefill: z.string().optional(),
    closeThink: z.boolean().optional(),
    extra: z.record(z.string(), z.unknown()).optional(),
    now: z.date().optional(),
    tools: z.array(z.unknown()).optional(),
  } satisfies Readonly<Record<keyof ChatPrompt, z.ZodType>>),
]);
