/** Messages of the system for endpoints that have no such role: put in front of what the user says. */
import type { ObserveRequest } from '../../observation.ts';
import type { TemplateMessage } from '../../prompt/index.ts';
import { isChat } from '../prompts.ts';

/** Two names of one role. */
const ROLES: ReadonlySet<string> = new Set(['system', 'developer']);
const JOINT = '\n\n';

export function hasSystemMessage(request: ObserveRequest): boolean {
  if (request.kind !== 'generate' || !isChat(request.prompt)) return false;
  const { messages } = request.prompt;
  return Array.isArray(messages) && messages.some((message) => ROLES.has(message?.role));
}

/** Each stands in front of the next message of the user; where none follows, it becomes one. */
export function foldSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const folded: TemplateMessage[] = [];
  let waiting: string[] = [];
  for (const message of messages) {
    if (ROLES.has(message.role)) {
      waiting.push(message.content);
    } else if (message.role === 'user' && waiting.length > 0) {
      folded.push({ ...message, content: [...waiting, message.content].join(JOINT) });
      waiting = [];
    } else {
      folded.push(message);
    }
  }
  if (waiting.length > 0) folded.push({ role: 'user', content: waiting.join(JOINT) });
  return folded;
}
