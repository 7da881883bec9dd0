/**
 * The system message of models that have none. Templates and endpoints differ in what they do with it (they take it,
 * refuse it, or drop it without a word), so where it is not taken, what it says stands in front of the user's message.
 * The one definition of that, for local models and for endpoints.
 */

/** `auto`: folded where the model does not take it; `fold`: always folded; `keep`: never. */
export const SYSTEM_ROLES = ['auto', 'fold', 'keep'] as const;
export type SystemRole = (typeof SYSTEM_ROLES)[number];

const BETWEEN = '\n\n';
/** Two names of one role. */
const NAMES: ReadonlySet<string> = new Set(['system', 'developer']);

/** Is it the role of a system message? */
export function isSystemRole(role: string): boolean {
  return NAMES.has(role);
}

interface Said {
  readonly role: string;
  readonly content: string;
}

/**
 * The chat without system messages: each stands in front of the user's message that follows it, a blank line between
 * them. One that no message of the user follows stands behind the user's message before it, so that roles alternate as
 * they did; beside no message of the user it becomes one.
 */
export function foldSystem<Message extends Said>(messages: readonly Message[]): Message[] {
  const folded: Message[] = [];
  let waiting: Message[] = [];
  const settle = () => {
    if (waiting.length === 0) return;
    const content = joined(waiting);
    const before = folded.at(-1);
    if (before?.role === 'user') folded[folded.length - 1] = withContent(before, [before.content, content]);
    else folded.push({ role: 'user', content } as Message);
    waiting = [];
  };
  for (const message of messages) {
    if (isSystemRole(message.role)) waiting.push(message);
    else if (message.role === 'user') {
      folded.push(waiting.length === 0 ? message : withContent(message, [joined(waiting), message.content]));
      waiting = [];
    } else {
      settle();
      folded.push(message);
    }
  }
  settle();
  return folded;
}

function joined(messages: readonly Said[]): string {
  return inParts(messages.map(({ content }) => content));
}

function withContent<Message extends Said>(message: Message, parts: readonly string[]): Message {
  return { ...message, content: inParts(parts) };
}

function inParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(BETWEEN);
}
