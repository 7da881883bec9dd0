/** `renderChat` as callers outside of this package have it: in a render process of the template's own. */
import { AuditError } from '../../errors.ts';
import { sourceOf } from '../chat.ts';
import { type ChatMessage, checkMessages } from '../messages.ts';
import type { ChatOptions, RenderedChat } from '../render.ts';
import { ChatHost } from './chats.ts';

/** Processes at a time; each takes some 50 MB. */
const MAX_HOSTS = 4;
const hosts = new Map<string, ChatHost>();

/**
 * Renders a chat with a model's template, in a process that is ended where the template takes too long or too much; it is kept
 * for the next chat and does not keep this one alive. Throws `no_chat_template` for a model without a template,
 * `template_failed` where the template refuses the chat, cannot be run or does not keep a prefill, and `bad_argument` for
 * messages and options that cannot be. The text is to be tokenized with special tokens read as such.
 */
export async function renderContained(
  template: string | null | undefined,
  messages: readonly ChatMessage[],
  options: ChatOptions = {},
): Promise<RenderedChat> {
  const { model, ...own } = options;
  const job = { messages: checkMessages(messages), options: own };
  const [answer] = await hostOf(sourceOf(template, model), model).render([job]);
  if (answer instanceof AuditError) throw answer;
  return answer!;
}

function hostOf(source: string, model: string | undefined): ChatHost {
  const key = `${model ?? ''}\0${source}`;
  const host = hosts.get(key) ?? new ChatHost({ source, options: { model }, addsBos: false });
  // The one that was used last is the last to go.
  hosts.delete(key);
  hosts.set(key, host);
  if (hosts.size > MAX_HOSTS) {
    const [oldest, idle] = hosts.entries().next().value!;
    hosts.delete(oldest);
    void idle.closeWhenIdle();
  }
  return host;
}
