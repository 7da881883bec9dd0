/** A chat rendered in the process that calls: for templates of one's own, and what the render process itself runs. */
import { AuditError } from '../errors.ts';
import { type ChatMessage, checkMessages } from './messages.ts';
import { type ChatOptions, type RenderedChat, renderChecked } from './render.ts';
import { ChatTemplate } from './template.ts';

// Few models are open at once; a parsed template serves every row of a run.
const MAX_PARSED = 16;
const parsed = new Map<string, ChatTemplate>();

/** Throws what {@link renderChecked} throws, and `no_chat_template` for a model without a template. */
export function renderChat(
  template: string | ChatTemplate | null | undefined,
  messages: readonly ChatMessage[],
  options: ChatOptions = {},
): RenderedChat {
  const compiled = template instanceof ChatTemplate ? template : compile(template, options.model);
  return renderChecked(compiled, checkMessages(messages), options);
}

/** A template that is one. Throws `no_chat_template`. */
export function sourceOf(template: string | null | undefined, model: string | undefined): string {
  if (template !== null && template !== undefined && template.trim() !== '') return template;
  const whose = model === undefined ? 'the model' : model;
  const message = `${whose} has no chat template; give its prompts as plain text, or a template of its family`;
  throw new AuditError('no_chat_template', message, model === undefined ? {} : { model });
}

function compile(template: string | null | undefined, model: string | undefined): ChatTemplate {
  const source = sourceOf(template, model);
  const key = `${model ?? ''}\0${source}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const fresh = new ChatTemplate(source, { model });
  if (parsed.size >= MAX_PARSED) parsed.delete(parsed.keys().next().value!);
  parsed.set(key, fresh);
  return fresh;
}
