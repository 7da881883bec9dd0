/**
 * A brain that is a model: what it says, lists and echoes comes of our own engine on this machine, so that what a client makes
 * of it can be held against the engine's exact numbers.
 */
import type { LocalModel } from '../../src/model/index.ts';
import type { Measure, Observations, ObserveRequest } from '../../src/observation/observation.ts';
import { type Brain, Refusal, type Said, type SentBody, type SentRequest } from './server.ts';

const NOTHING: Measure = { groups: [], topK: 0, pairTopK: [] };

/** The likeliest tokens of the first row. */
async function listOf(
  model: LocalModel,
  { rows }: Observations,
  ids: boolean,
): Promise<Said['top'] & object> {
  const pieces = await model.pieces(rows.topKIds);
  return pieces.map((token, at) => ({
    ...(ids ? { id: rows.topKIds[at]! } : {}),
    token,
    bytes: [...Buffer.from(token)],
    logprob: Math.log(rows.topKProbs[at]!),
  }));
}

async function echoOf(model: LocalModel, text: string): Promise<Said['echo'] & object> {
  const request = { kind: 'score' as const, prompt: '', continuations: [text], perToken: true };
  const { targets } = await model.observeWindow([request], NOTHING);
  const pieces = await model.pieces(targets.token);
  const bos = { token: model.info.bosText!, logprob: null };
  return [bos, ...pieces.map((token, at) => ({ token, logprob: targets.logProb[at]! }))];
}

function textOf({ prompt, messages }: SentBody): string {
  return prompt ?? String(messages!.at(-1)!.content);
}

/** `ids`: tokens are listed with their ids, as llama-server does. */
export function engineBrain(model: LocalModel, { ids = false } = {}): Brain {
  return async ({ path, body }) => {
    const text = textOf(body);
    const k = path.endsWith('/chat/completions') ? body.top_logprobs : body.logprobs;
    // It lists the first token alone, and so writes no more where it lists.
    const listed = typeof k === 'number' ? 1 : Number.POSITIVE_INFINITY;
    const most = Math.min(listed, Number(body.max_completion_tokens ?? body.max_tokens));
    const top =
      typeof k === 'number'
        ? await listOf(
            model,
            await model.observeWindow([{ kind: 'probe', text }], { ...NOTHING, topK: k }),
            ids,
          )
        : undefined;
    const echo = body.echo ? await echoOf(model, text) : undefined;
    if (most === 0) return { text: '', finish: 'length', outputTokens: 0, ...(echo ? { echo } : {}) };
    const request = { kind: 'generate' as const, prompt: text, maxTokens: most };
    const { generations } = await model.observeWindow([request], NOTHING);
    return {
      text: generations.texts[0]!,
      finish: generations.finish[0] === 'length' ? 'length' : 'stop',
      outputTokens: generations.ids.length,
      ...(top ? { top } : {}),
      ...(echo ? { echo } : {}),
    };
  };
}

/** A brain that writes answers, in chats by the model's own template; what it cannot answer is refused. */
export function answeringEngine(model: LocalModel): Brain {
  return async ({ body }: SentRequest) => {
    const prompt = body.prompt ?? { messages: body.messages as { role: string; content: string }[] };
    const maxTokens = Number(body.max_completion_tokens ?? body.max_tokens);
    if (maxTokens === 0) return { text: '', finish: 'length' };
    const request = { kind: 'generate' as const, prompt, maxTokens };
    const { generations, failures } = await model.observeWindow([request as ObserveRequest], NOTHING);
    if (failures.length > 0) throw new Refusal(400, { message: failures[0]!.message });
    const { texts, finish } = generations;
    return { text: texts[0]!, finish: finish[0] === 'length' ? 'length' : 'stop' };
  };
}

/** Vectors of texts, by the model's hidden states. */
export function embeddingEngine(model: LocalModel) {
  return async ({ body }: SentRequest): Promise<number[][]> => {
    const requests = body.input!.map((text) => ({ kind: 'embed' as const, text }));
    const { embeddings, failures } = await model.observeWindow(requests, NOTHING);
    if (failures.length > 0) throw new Refusal(400, { message: failures[0]!.message });
    const { dimensions, values } = embeddings;
    return requests.map((_, at) => [...values.slice(at * dimensions, (at + 1) * dimensions)]);
  };
}
