/** Public API of this folder: chats to prompts. */
export { refuseControlToken } from './control.ts';
export { DEFAULT_DATE, dateOf } from './dates.ts';
export { type ChatMessage, checkMessages, type TemplateMessage } from './messages.ts';
export type { ChatJob, ModelChats } from './model-chat.ts';
export { isTemplateWord } from './names.ts';
export { ChatHost } from './process/chats.ts';
export { renderContained } from './process/shared.ts';
export { TextHost } from './process/texts.ts';
export { type ChatPrompt, type Prompt, promptSchema } from './prompt.ts';
export { type ChatOptions, foldsSystem, type RenderedChat } from './render.ts';
export { foldSystem, isSystemRole, SYSTEM_ROLES, type SystemRole } from './system.ts';
export { hashTemplate } from './template.ts';
export { assertNotThinking } from './thinking.ts';
export type { ChatTraits } from './traits.ts';
