/** What a request asks about, to tell requests apart. */
import type { ObserveRequest } from '../../src/observation.ts';

export function textOf(request: ObserveRequest): string {
  return 'prompt' in request ? request.prompt : request.text;
}
