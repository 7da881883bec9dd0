/**
 * Chat messages as users give them, checked once, and as templates get them: text alone. What a template cannot be
 * given (an image) is refused here, before it could be dropped in silence.
 */
import { z } from 'zod';
import { AuditError } from '../errors.ts';

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const content = z.union([z.string(), z.array(textPart).min(1)]);

const messageSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content }),
  z.strictObject({ role: z.literal('user'), content, name: z.string().optional() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.nullable().optional(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(z.record(z.string(), z.unknown())).min(1).optional(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    content,
    name: z.string().optional(),
    tool_call_id: z.string().optional(),
  }),
]);

/** A message of a chat. Content is text, or parts of text; an assistant that calls tools may have none. */
export type ChatMessage = z.infer<typeof messageSchema>;

/** A message as a template sees it: its parts joined by a line feed, no content as the empty text. */
export type TemplateMessage = Omit<ChatMessage, 'content'> & { readonly content: string };

/** Checks messages and joins their parts. Throws `bad_argument`, naming the message and what is wrong with it. */
export function checkMessages(messages: readonly unknown[]): TemplateMessage[] {
  if (!Array.isArray(messages))
    throw new AuditError('bad_argument', 'messages are an array of {role, content}');
  if (messages.length === 0) throw new AuditError('bad_argument', 'a chat needs at least one message');
  return messages.map(checkMessage);
}

function checkMessage(raw: unknown, index: number): TemplateMessage {
  const parts = (raw as { content?: unknown } | null)?.content;
  const other = Array.isArray(parts) ? parts.findIndex((part) => !isTextPart(part)) : -1;
  if (other !== -1) throw notText((parts as unknown[])[other], index, other);
  const { data, error } = messageSchema.safeParse(raw);
  if (data === undefined) throw malformed(error.issues[0]!, index);
  if (data.role === 'assistant' && !data.content && !data.tool_calls) {
    const message = `message ${index} (assistant) has no content; give text, or tool_calls`;
    throw new AuditError('bad_argument', message, { message: index });
  }
  return { ...data, content: textOf(data.content) };
}

function textOf(given: ChatMessage['content']): string {
  if (given === null || given === undefined) return '';
  return typeof given === 'string' ? given : given.map(({ text }) => text).join('\n');
}

function isTextPart(part: unknown): boolean {
  return (part as { type?: unknown } | null)?.type === 'text';
}

function notText(part: unknown, message: number, index: number): AuditError {
  const type = (part as { type?: unknown } | null)?.type;
  const named = typeof type === 'string' ? `of type "${type}"` : 'without a type';
  return new AuditError(
    'bad_argument',
    `message ${message}, content part ${index}, is ${named}; chat prompts are text: give {type: "text", text}`,
    { message, part: index },
  );
}

function malformed({ path, message, code }: z.core.$ZodIssue, index: number): AuditError {
  const key = path.map(String).join('.');
  const what =
    code === 'invalid_union' && key === 'role' ? 'is one of system, user, assistant, tool' : message;
  return new AuditError('bad_argument', `message ${index}${key === '' ? '' : `, ${key}`}: ${what}`, {
    message: index,
    ...(key === '' ? {} : { key }),
  });
}
