/**
 * A window of requests on its way to the engine, its chats rendered. A chat that cannot be rendered is a failure of its
 * request alone: the others are asked without it, and what comes back is put into the places that they have in the
 * window.
 */
import { AuditError, toAuditError } from '../../errors.ts';
import type { RawRequest } from '../../native/engine.ts';
import type {
  Answers,
  AskedTexts,
  Observations,
  ObserveRequest,
  RequestFailure,
} from '../../observation/observation.ts';
import type { ChatRenderer } from './chat.ts';
import { toRawRequest } from './raw.ts';

export interface RenderedWindow {
  /** The requests that can be asked. */
  readonly requests: readonly RawRequest[];
  /** Where each of them stands in the window. */
  readonly places: readonly number[];
  /** One entry per request of the window. */
  readonly asked: readonly (AskedTexts | null)[];
  readonly failures: readonly RequestFailure[];
}

/** Renders a window, all its chats in one call. Throws `cancelled` and `engine_closed`, and nothing else. */
export async function renderWindow(
  window: readonly ObserveRequest[],
  renderer: ChatRenderer,
  signal: AbortSignal | undefined,
): Promise<RenderedWindow> {
  const requests: RawRequest[] = [];
  const places: number[] = [];
  const asked: (AskedTexts | null)[] = [];
  const failures: RequestFailure[] = [];
  const rendered = await renderer.renderRequests(window, signal);
  if (signal?.aborted) throw new AuditError('cancelled', 'the observation was cancelled');
  for (const [place, request] of window.entries()) {
    try {
      refuseImages(request);
      const answer = rendered[place]!;
      if (answer instanceof AuditError) throw answer;
      const raw = toRawRequest(answer.request);
      requests.push(raw);
      places.push(place);
      const behind = raw.then ? { behind: raw.then.text } : {};
      asked.push({ texts: raw.texts, special: raw.special === true, chats: answer.chats, ...behind });
    } catch (thrown) {
      failures.push({ request: place, ...toAuditError(thrown).toJSON() });
      asked.push(null);
    }
  }
  return { requests, places, asked, failures };
}

/** Left out of the prompt, an image would be missed by nobody but the reader of the answer. */
function refuseImages(request: ObserveRequest): void {
  if (request.kind !== 'generate' || !request.images?.length) return;
  const message = 'the request has images, and a local model sees none; ask a model that does (openai:MODEL)';
  throw new AuditError('not_supported', message, { missing: 'images' });
}

/** Every table of the answers with a column of requests, named so that a new one does not compile before it is here. */
type Tables = {
  readonly [K in keyof Answers as Answers[K] extends { readonly request: Uint32Array } ? K : never]: true;
};
const TABLES: Tables = {
  rows: true,
  pairs: true,
  scores: true,
  targets: true,
  generations: true,
  followed: true,
  embeddings: true,
  sequences: true,
};

/** The answers to a rendered window, in the places of the window as it was asked. */
export function inPlace(answers: Answers, { places, asked, failures }: RenderedWindow): Observations {
  if (failures.length === 0) return { ...answers, asked };
  const tables = (Object.keys(TABLES) as (keyof Tables)[]).map((name) => {
    const table = answers[name];
    return [name, { ...table, request: table.request.map((request) => places[request]!) }];
  });
  const own = answers.failures.map((failure) => ({ ...failure, request: places[failure.request]! }));
  return {
    ...answers,
    ...(Object.fromEntries(tables) as Pick<Answers, keyof Tables>),
    requests: asked.length,
    asked,
    failures: [...own, ...failures].sort((a, b) => a.request - b.request),
  };
}
