/** What a request asks about, to tell requests apart. */
import type { ObserveRequest } from '../../src/observation/observation.ts';

export function textOf(request: ObserveRequest): string {
  if (request.kind === 'list') throw new Error('no test that asks for the text has lists');
  const prompt = 'prompt' in request ? request.prompt : request.text;
  if (typeof prompt !== 'string') throw new Error('no test that asks for the text has chats');
  return prompt;
}
