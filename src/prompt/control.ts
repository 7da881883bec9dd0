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
  const assistants = withoutTags(controlTokens, tags);
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
  const token = controlTokenIn(text, controlTokens);
  if (token === undefined) return;
  throw new AuditError(
    'bad_argument',
    `${where} holds "${shown(token)}", which the model would read as a control token; take it out`,
    { ...data, token: shown(token) },
  );
}

/** What the assistant may not say either. */
function withoutTags(controlTokens: readonly string[], tags: ThinkTags | null): readonly string[] {
  if (tags === null || !(controlTokens.includes(tags.open) || controlTokens.includes(tags.close)))
    return controlTokens;
  return controlTokens.filter((token) => token !== tags.open && token !== tags.close);
}

type Places = ReadonlyMap<number, readonly number[]>;

/** Vocabularies have thousands of control tokens, most of which begin alike; few places of a text do. */
const placesOf = new WeakMap<readonly string[], Places>();

/** Places in the list by the code of the first character. */
function byFirstCode(controlTokens: readonly string[]): Places {
  const known = placesOf.get(controlTokens);
  if (known !== undefined) return known;
  const places = new Map<number, number[]>();
  controlTokens.forEach((token, place) => {
    if (token === '') return;
    const code = token.charCodeAt(0);
    const alike = places.get(code);
    if (alike) alike.push(place);
    else places.set(code, [place]);
  });
  placesOf.set(controlTokens, places);
  return places;
}

/** The first of the list that stands in the text. */
function controlTokenIn(text: string, controlTokens: readonly string[]): string | undefined {
  const places = byFirstCode(controlTokens);
  let first = controlTokens.length;
  for (let at = 0; at < text.length; at += 1) {
    const alike = places.get(text.charCodeAt(at));
    const found = alike?.find((place) => place < first && text.startsWith(controlTokens[place]!, at));
    first = found ?? first;
  }
  return controlTokens[first];
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

/** Characters of all of them. */
export function charactersIn(value: unknown): number {
  let sum = 0;
  for (const text of textsIn(value)) sum += text.length;
  return sum;
}
