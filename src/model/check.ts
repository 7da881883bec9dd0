/** Requests as they may be. */
import { z } from 'zod';
import { AuditError } from '../errors.ts';
import type { ObserveRequest } from '../observation.ts';

const texts = z.array(z.string()).min(1);
const positions = z.union([z.literal(['last', 'all']), z.array(z.int().min(0)).min(1)]);
const tokens = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
/** Softer than this, a distribution over any vocabulary is flat. */
const MAX_TEMPERATURE = 100;
const special = z.boolean().optional();
/** The one place where requests are checked; what comes from TypeScript callers passes as it is. */
const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('probe'), text: z.string(), positions: positions.optional(), special }),
  z.strictObject({
    kind: z.literal('pair'),
    text: z.string(),
    textSwap: z.string(),
    steps: z.literal(['last', 'aligned', 'decode']).optional(),
    maxTokens: tokens.optional(),
    special,
  }),
  z.strictObject({
    kind: z.literal('score'),
    prompt: z.string(),
    continuations: texts,
    perToken: z.boolean().optional(),
    special,
  }),
  z.strictObject({
    kind: z.literal('generate'),
    prompt: z.string(),
    maxTokens: tokens.optional(),
    temperature: z.number().min(0).max(MAX_TEMPERATURE).optional(),
    topP: z.number().gt(0).max(1).optional(),
    seed: z.int().min(0).optional(),
    stop: z.array(z.string().min(1)).optional(),
    grammar: z.string().optional(),
    stepMetrics: z.boolean().optional(),
    special,
  }),
  z.strictObject({ kind: z.literal('embed'), text: z.string(), special }),
]);

/** Throws `bad_argument` naming the request by its place in the stream, and the key. */
export function checkRequests(requests: readonly ObserveRequest[], firstRequest: number): void {
  requests.forEach((request, offset) => {
    const index = firstRequest + offset;
    const parsed = requestSchema.safeParse(request);
    if (parsed.success) return;
    const [issue] = parsed.error.issues;
    const key = issue?.path.join('.') ?? '';
    throw new AuditError('bad_argument', `request ${index}: ${key || 'the request'}: ${issue?.message}`, {
      request: index,
      key,
    });
  });
}
