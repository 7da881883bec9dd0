/** Answers to requests in columns, as an engine would give them, where a rule says what the answer is. */

import { nothing } from '../../observation/empty.ts';
import type {
  AskedTexts,
  Observations,
  ObserveRequest,
  RequestFailure,
} from '../../observation/observation.ts';
import { isChat } from '../prompts.ts';

/** The probability of the chosen answer; the others share the rest. */
const CHOSEN = 0.97;

/** The answer to a request; null where the rule has none. */
export type Answer = (request: ObserveRequest) => string | null;

interface Scored {
  readonly request: number;
  readonly side: number;
  readonly logProb: number;
  readonly bytes: number;
}

function scoresOf(request: number, continuations: readonly string[], answer: string): Scored[] {
  const others = (1 - CHOSEN) / Math.max(1, continuations.length - 1);
  return continuations.map((text, side) => ({
    request,
    side,
    logProb: Math.log(text.trim() === answer ? CHOSEN : others),
    bytes: Buffer.byteLength(text),
  }));
}

/** What the rule is asked, as text: of a chat its messages one below the other. */
function textsOf(request: ObserveRequest): string[] {
  if (request.kind !== 'score' && request.kind !== 'generate') return [];
  const { prompt } = request;
  const text = isChat(prompt) ? prompt.messages.map(({ content }) => content).join('\n\n') : prompt;
  return request.kind === 'score' ? [text, ...request.continuations] : [text];
}

export function policyObservations(requests: readonly ObserveRequest[], answerOf: Answer): Observations {
  const scores: Scored[] = [];
  const texts: { readonly request: number; readonly text: string }[] = [];
  const failures: RequestFailure[] = [];
  requests.forEach((request, at) => {
    const answer = answerOf(request);
    if (answer === null) {
      const message = `the policy has no answer to a request of kind ${request.kind} without its roles; policies answer bbq, and mock:scale answers scales`;
      failures.push({ request: at, code: 'bad_argument', message, data: { kind: request.kind } });
    } else if (request.kind === 'score') scores.push(...scoresOf(at, request.continuations, answer));
    else texts.push({ request: at, text: answer });
  });
  const asked = requests.map(
    (request): AskedTexts => ({ texts: textsOf(request), special: false, chats: [] }),
  );
  return {
    ...nothing(),
    requests: requests.length,
    scores: {
      scores: scores.length,
      request: Uint32Array.from(scores, ({ request }) => request),
      side: Uint32Array.from(scores, ({ side }) => side),
      logProb: Float64Array.from(scores, ({ logProb }) => logProb),
      tokens: Uint32Array.from(scores, () => 1),
      bytes: Uint32Array.from(scores, ({ bytes }) => bytes),
      logProbPerToken: Float64Array.from(scores, ({ logProb }) => logProb),
      logProbPerByte: Float64Array.from(scores, ({ logProb, bytes }) => logProb / bytes),
    },
    generations: {
      generations: texts.length,
      request: Uint32Array.from(texts, ({ request }) => request),
      texts: texts.map(({ text }) => text),
      finish: texts.map(() => 'end'),
      logProb: Float64Array.from(texts, () => Math.log(CHOSEN)),
      ids: Int32Array.from(texts.flatMap(({ text }) => [...Buffer.from(text)])),
      offsets: offsetsOf(texts.map(({ text }) => Buffer.byteLength(text))),
    },
    asked,
    failures,
  };
}

function offsetsOf(lengths: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, at) => {
    offsets[at + 1] = offsets[at]! + length;
  });
  return offsets;
}
