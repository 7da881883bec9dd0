/** The face of this room: chats to prompts. */
export { renderChat } from './chat.ts';
export { refuseControlToken } from './control.ts';
export { type ChatMessage, checkMessages, type TemplateMessage } from './messages.ts';
export { freeNames, isTemplateWord } from './names.ts';
export { type ChatPrompt, type Prompt, promptSchema } from './prompt.ts';
export type { ChatOptions, RenderedChat } from './render.ts';
export { foldSystem, SYSTEM_ROLES, type SystemRole } from './system.ts';
export { ChatTemplate, hashTemplate } from './template.ts';
export { assertNotThinking } from './thinking.ts';
