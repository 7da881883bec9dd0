/**
 * What parent and render process say to each other. What is to be rendered comes first; then jobs, each list answered job by
 * job in order, so that whoever waits knows which one is being worked on.
 */
import type { ErrorCode, ErrorData } from '../../errors.ts';
import type { ChatJob, ModelChats } from '../model-chat.ts';
import type { RenderedChat } from '../render.ts';
import type { TemplateName } from '../template.ts';
import type { NamedTemplate, TextJob } from '../texts.ts';
import type { ChatTraits } from '../traits.ts';

/** What one process renders: chats of a model, or texts by the templates of a file. */
export type Material = { readonly chats: ModelChats } | { readonly texts: readonly NamedTemplate[] };

/** A chat to render, null for how the template wants its chats, or a template of a file. */
export type Job = ChatJob | null | TextJob;

/** A chat, how its template wants chats, texts by a template, or the names that one takes. */
export type Made = RenderedChat | ChatTraits | readonly string[];

export type ToRenderer =
  | { readonly type: 'material'; readonly material: Material }
  | { readonly type: 'jobs'; readonly jobs: readonly Job[] };

export type Answer =
  | { readonly value: Made }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly data: ErrorData } };

export type FromRenderer =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly answer: Answer; readonly cost: Cost };

/** What a job has taken. */
export interface Cost {
  /** Times that a template was run for it. */
  readonly runs: number;
  /** Of the processor. */
  readonly cpuMs: number;
  /** Characters of what its template was given, all runs together. */
  readonly given: number;
}

/** The template of a job, and what messages call it. */
export function templateOf(material: Material, job: Job): TemplateName & { readonly source: string } {
  if ('texts' in material) return material.texts[(job as TextJob).template]!;
  const { source, options } = material.chats;
  return { source, model: options.model };
}
