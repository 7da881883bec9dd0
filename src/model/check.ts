/** Requests as they may be. */
import { z } from 'zod';
import { AuditError } from '../errors.ts';
import type { ObserveRequest } from '../observation/observation.ts';
import { promptSchema } from '../prompt/index.ts';
import { isChat, promptKeys, promptsOf } from './prompts.ts';

const texts = z.array(z.string()).min(1);
const positions = z.union([z.literal(['last', 'all']), z.array(z.int().min(0)).min(1)]);
const tokens = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
/** Softer than this, a distribution over any vocabulary is flat. */
const MAX_TEMPERATURE = 100;
const special = z.boolean().optional();
const roles = z.record(z.string(), z.string()).optional();
const decoding = {
  maxTokens: tokens.optional(),
  temperature: z.number().min(0).max(MAX_TEMPERATURE).optional(),
  topP: z.number().gt(0).max(1).optional(),
  seed: z.int().min(0).optional(),
  stop: z.array(z.string().min(1)).optional(),
  grammar: z.string().optional(),
};
const then = z.strictObject({ text: z.string(), ...decoding }).optional();
/** The one place where requests are checked; what comes from TypeScript callers passes as it is. */
const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('probe'),
    text: promptSchema,
    positions: positions.optional(),
    special,
    roles,
  }),
  z.strictObject({
    kind: z.literal('pair'),
    text: promptSchema,
    textSwap: promptSchema,
    steps: z.literal(['last', 'aligned', 'decode']).optional(),
    maxTokens: tokens.optional(),
    special,
    roles,
  }),
  z.strictObject({
    kind: z.literal('score'),
    prompt: promptSchema,
    continuations: texts,
    perToken: z.boolean().optional(),
    scoreFirst: z.boolean().optional(),
    special,
    roles,
  }),
  z.strictObject({
    kind: z.literal('generate'),
    prompt: promptSchema,
    ...decoding,
    then,
    stepMetrics: z.boolean().optional(),
    images: z.array(z.string().min(1)).optional(),
    special,
    roles,
  }),
  z.strictObject({ kind: z.literal('list'), texts, special, roles }),
  z.strictObject({ kind: z.literal('embed'), text: z.string(), special, roles }),
]);

interface Fault {
  readonly key: string;
  readonly message: string;
}

/** Throws `bad_argument` naming the request by its place in the stream, and the key. */
export function checkRequests(requests: readonly ObserveRequest[], firstRequest: number): void {
  requests.forEach((request, offset) => {
    const index = firstRequest + offset;
    const parsed = requestSchema.safeParse(request);
    const fault = parsed.success ? promptFault(request) : shapeFault(parsed.error.issues[0]!);
    if (fault === null) return;
    const { key, message } = fault;
    throw new AuditError('bad_argument', `request ${index}: ${key || 'the request'}: ${message}`, {
      request: index,
      key,
    });
  });
}

/** What is wrong between the parts of a request that are right each by itself. */
function promptFault(request: ObserveRequest): Fault | null {
  const prompts = promptsOf(request);
  const chats = prompts.filter(isChat).length;
  if (chats === 0) return null;
  if (chats < prompts.length) {
    const message = 'one is a text and the other a chat; give two texts or two chats';
    return { key: promptKeys(request).join(', '), message };
  }
  if (request.special !== true) return null;
  const message = 'is for texts that are rendered chats; messages are rendered by the model: leave it out';
  return { key: 'special', message };
}

/** Of a text or a chat: the fault inside the chat, if it is one. */
function shapeFault(issue: z.core.$ZodIssue): Fault {
  const inside = issue.code === 'invalid_union' ? issue.errors.flat() : [];
  const deepest = inside.find((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys');
  const telling = deepest ?? issue;
  const path = deepest ? [...issue.path, ...deepest.path] : issue.path;
  const message = inside.length > 0 && !deepest ? 'give a text, or a chat: {messages}' : telling.message;
  return { key: path.join('.'), message };
}
