/** Answers as columns, as an engine would give them; what an endpoint does not tell is absent in them. */

import { nothing } from '../../observation/empty.ts';
import type { ListedStep, Observations, Remarks, RequestFailure } from '../../observation/observation.ts';
import type { Reply } from './reply.ts';
import type { ScoredText } from './score.ts';

/** What came of a request. */
export type Outcome =
  | { readonly kind: 'text'; readonly reply: Reply }
  | { readonly kind: 'scores'; readonly scores: readonly ScoredText[] }
  | { readonly kind: 'lists'; readonly steps: readonly ListedStep[] }
  | { readonly kind: 'failure'; readonly failure: Omit<RequestFailure, 'request'> };

function generationsOf(outcomes: readonly Outcome[]): Observations['generations'] {
  const texts = outcomes.flatMap((outcome, request) =>
    outcome.kind === 'text' ? [{ request, reply: outcome.reply }] : [],
  );
  return {
    generations: texts.length,
    request: Uint32Array.from(texts, ({ request }) => request),
    texts: texts.map(({ reply }) => reply.text),
    finish: texts.map(({ reply }) => reply.finish),
    logProb: new Float64Array(texts.length).fill(Number.NaN),
    counts: Float64Array.from(texts, ({ reply }) => reply.counts.output ?? Number.NaN),
    ids: new Int32Array(0),
    offsets: new Uint32Array(texts.length + 1),
  };
}

function scoresOf(outcomes: readonly Outcome[]): Pick<Observations, 'scores' | 'sequences'> {
  const scored = outcomes.flatMap((outcome, request) =>
    outcome.kind === 'scores' ? outcome.scores.map((own, side) => ({ request, side, ...own })) : [],
  );
  const request = Uint32Array.from(scored, (own) => own.request);
  const side = Uint32Array.from(scored, (own) => own.side);
  return {
    scores: {
      scores: scored.length,
      request,
      side,
      logProb: Float64Array.from(scored, ({ logProb }) => logProb),
      tokens: Uint32Array.from(scored, ({ tokens }) => tokens),
      bytes: Uint32Array.from(scored, ({ bytes }) => bytes),
      logProbPerToken: Float64Array.from(scored, ({ logProb, tokens }) => logProb / tokens),
      logProbPerByte: Float64Array.from(scored, ({ logProb, bytes }) => logProb / bytes),
    },
    sequences: {
      sequences: scored.length,
      request,
      side,
      backedOff: Uint8Array.from(scored, ({ backedOff }) => (backedOff ? 1 : 0)),
      ids: new Int32Array(0),
      offsets: new Uint32Array(scored.length + 1),
    },
  };
}

/** What an answer brought beside its text. */
function remarksOf(outcome: Outcome, request: number): Remarks[] {
  if (outcome.kind !== 'text') return [];
  const { notes, reasoning } = outcome.reply;
  return notes.length === 0 && reasoning === '' ? [] : [{ request, notes, reasoning }];
}

/** One outcome per request of the window; `tokens` are those that the endpoint counted. */
export function toObservations(
  outcomes: readonly Outcome[],
  asked: Observations['asked'],
  tokens: number,
): Observations {
  const remarks = outcomes.flatMap(remarksOf);
  return {
    ...nothing(),
    requests: outcomes.length,
    generations: generationsOf(outcomes),
    ...scoresOf(outcomes),
    ...(remarks.length === 0 ? {} : { remarks }),
    lists: outcomes.flatMap((outcome, request) =>
      outcome.kind === 'lists' ? [{ request, steps: outcome.steps }] : [],
    ),
    asked,
    failures: outcomes.flatMap((outcome, request) =>
      outcome.kind === 'failure' ? [{ ...outcome.failure, request }] : [],
    ),
    decodedTokens: tokens,
    naiveTokens: tokens,
  };
}
