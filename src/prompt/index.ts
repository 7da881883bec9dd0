/** The face of this room: chats to prompts. */
export type { ChatMessage } from './messages.ts';
export { type ChatOptions, type RenderedChat, renderChat } from './render.ts';
export { ChatTemplate, hashTemplate } from './template.ts';
export { assertNotThinking } from './thinking.ts';
