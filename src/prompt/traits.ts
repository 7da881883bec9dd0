/**
 * How a template wants a chat: whether it takes a system message, as what it takes content, and whether it needs a date. All
 * of it is found by rendering small chats and looking what arrives, not by knowing any template, and is the same for every
 * chat of a model.
 */
import { AuditError } from '../errors.ts';
import { DEFAULT_DATE, dateOf } from './dates.ts';
import type { TemplateMessage } from './messages.ts';
import { freeNames } from './names.ts';
import type { ChatTemplate } from './template.ts';

/** Content as a text, or as a list of parts, `[{type: 'text', text}]`. */
export type ContentForm = 'text' | 'parts';
type Role = 'system' | 'user' | 'assistant';

export interface ChatTraits {
  /** What a system message says arrives. */
  readonly takesSystem: boolean;
  readonly content: Readonly<Record<Role, ContentForm>>;
  /** It writes a date that it has to be given. */
  readonly wantsDate: boolean;
  /** Its variables where there are no tools and no documents. */
  readonly absent: Absent;
}

type Absent = Readonly<Record<string, null>>;

/** None, as those who write templates try them; or undefined, for those who tried them so. */
const ABSENT: readonly Absent[] = [{ tools: null, documents: null }, {}];

const PROBES: Readonly<Record<Role, string>> = {
  system: 'SystemProbe',
  user: 'UserProbe',
  assistant: 'AnswerProbe',
};

const found = new WeakMap<ChatTemplate, ChatTraits>();

/** Throws `template_failed` where the template ran into a limit. */
export function chatTraits(template: ChatTemplate): ChatTraits {
  const known = found.get(template);
  if (known !== undefined) return known;
  const traits = readTraits(template);
  found.set(template, traits);
  return traits;
}

/** The messages with their content as the template takes it. */
export function inForm(
  messages: readonly TemplateMessage[],
  content: ChatTraits['content'],
): readonly Record<string, unknown>[] {
  return messages.map((message) => {
    const form = message.role === 'tool' ? content.user : content[message.role];
    return form === 'text' ? message : { ...message, content: [{ type: 'text', text: message.content }] };
  });
}

function readTraits(template: ChatTemplate): ChatTraits {
  const all = (form: ContentForm) => ({ system: form, user: form, assistant: form });
  const forms: readonly ContentForm[] = ['text', 'parts'];
  const chats: readonly (readonly Role[])[] = [['user'], ['system', 'user']];
  const ways = ABSENT.flatMap((none) => forms.map((form) => [form, none] as const));
  const [user, absent] = ways.find(([form, none]) =>
    chats.some((roles) => probe(template, roles, all(form), none)),
  ) ?? ['text', ABSENT[0]!];
  const arrives = (roles: readonly Role[], content: ChatTraits['content']) =>
    probe(template, roles, content, absent);
  const own = all(user);
  const inTurn = user === 'text' ? forms : [...forms].reverse();
  const assistant = inTurn.find((form) =>
    arrives(['user', 'assistant', 'user'], { ...own, assistant: form }),
  );
  const talk = { ...own, assistant: assistant ?? user };
  const system = inTurn.find((form) => arrives(['system', 'user'], { ...talk, system: form }));
  const content = { ...talk, system: system ?? user };
  // Where nothing arrives without it either, it is not the system message that the template does not take.
  const dropped = system === undefined && arrives(['user'], content);
  const droppedLater =
    system !== undefined &&
    !arrives(['system', 'user', 'assistant', 'user'], content) &&
    arrives(['user', 'assistant', 'user'], content);
  return {
    takesSystem: !dropped && !droppedLater,
    content,
    wantsDate: wantsDate(template.source),
    absent,
  };
}

/** Is what each of these roles says in the rendered chat? */
function probe(
  template: ChatTemplate,
  roles: readonly Role[],
  content: ChatTraits['content'],
  absent: Absent,
): boolean {
  const messages = roles.map((role) => ({ role, content: PROBES[role] }));
  const variables = {
    ...absent,
    messages: inForm(messages, content),
    add_generation_prompt: true,
    bos_token: '',
    eos_token: '',
  };
  try {
    const { text } = template.render(variables, { now: dateOf(DEFAULT_DATE) });
    const written = text.toLowerCase();
    return roles.every((role) => written.includes(PROBES[role].toLowerCase()));
  } catch (thrown) {
    if (!(thrown instanceof AuditError) || thrown.data.limit !== undefined) throw thrown;
    return false;
  }
}

/** Does it name a date without asking whether there is one? */
function wantsDate(source: string): boolean {
  const takes = (name: string) =>
    source.includes(name) &&
    !new RegExp(`\\b${name}\\s*(?:is\\s+(?:not\\s+)?(?:un)?defined|\\|\\s*default|or\\b)`).test(source);
  return takes('strftime_now') || (takes('date_string') && freeNames(source).includes('date_string'));
}
