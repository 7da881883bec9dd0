/**
 * What parent and render process say to each other. The model comes first and once; then jobs, each list answered job by
 * job in order, so that whoever waits knows which one is being worked on.
 */
import type { ErrorCode, ErrorData } from '../../errors.ts';
import type { ChatJob, ModelChats } from '../model-chat.ts';
import type { RenderedChat } from '../render.ts';
import type { ChatTraits } from '../traits.ts';

/** A chat to render, or null: how does the template want its chats? */
export type Job = ChatJob | null;

export type ToRenderer =
  | { readonly type: 'model'; readonly model: ModelChats }
  | { readonly type: 'jobs'; readonly jobs: readonly Job[] };

export type Answer =
  | { readonly value: RenderedChat | ChatTraits }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly data: ErrorData } };

export type FromRenderer =
  | { readonly type: 'ready' }
  /** `cpuMs`: what the job has taken of the processor. */
  | { readonly type: 'answer'; readonly answer: Answer; readonly cpuMs: number };
