/**
 * Control tokens in what a chat says. A rendered chat is tokenized with special tokens read as such, so data that
 * holds the text of one would end a turn or begin another; it is refused, never cleaned in silence.
 */
import { AuditError } from '../errors.ts';
import type { TemplateMessage } from './messages.ts';
import { shown } from './shown.ts';
import type { ThinkTags } from './thinking.ts';

/**
 * Refuses messages, and a prefill (or what `key` says that it is), that hold a control token, in any of their texts (names, thoughts and tool calls
 * included). What the assistant says may hold the think tags of its template: thoughts are written with them.
 */
export function refuseControlTokens(
  messages: readonly TemplateMessage[],
  prefill: string | undefined,
  controlTokens: readonly string[],
  tags: ThinkTags | null,
  key: 'assistantPrefill' | 'append' = 'assistantPrefill',
): void {
  if (controlTokens.length === 0) return;
  const assistants = controlTokens.filter((token) => token !== tags?.open && token !== tags?.close);
  messages.forEach((message, index) => {
    const refused = message.role === 'assistant' ? assistants : controlTokens;
    for (const text of textsIn(message)) {
      refuseControlToken(text, refused, `message ${index}`, { message: index });
    }
  });
  refuseControlToken(prefill ?? '', assistants, key, { key });
}

/** Refuses one text; `where` names it, `data` says it to programs. Throws `bad_argument`. */
export function refuseControlToken(
  text: string,
  controlTokens: readonly string[],
  where: string,
  data: Readonly<Record<string, unknown>>,
): void {
  const token = controlTokens.find((control) => control !== '' && text.includes(control));
  if (token === undefined) return;
  throw new AuditError(
    'bad_argument',
    `${where} holds "${shown(token)}", which the model would read as a control token; take it out`,
    { ...data, token: shown(token) },
  );
}

/** Every text inside a value, the keys of mappings included: templates write tool calls out as JSON. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield key;
      yield* textsIn(inner);
    }
  }
}
