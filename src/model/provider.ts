/** What a provider of models is: a folder beside this file, and a line in providers.ts. */
import type { Backend } from './backend.ts';
import type { EngineDescription } from './description.ts';

/** A model of any kind, and what a manifest keeps of what it runs on. */
export interface OpenedModel {
  readonly backend: Backend;
  readonly engine: EngineDescription;
}

/** What any model is opened with, beside its provider's own options. */
export interface Opening {
  /** Called, once each, with what became of chats that a user would not expect: a system message that was folded, a date. */
  readonly onNote?: (note: string) => void;
}

export interface Provider<Options> {
  /** What names of its models begin with, such as `openai:`; none where every other name is one of its models. */
  readonly prefixes: readonly string[];
  /** Which of the options of `openAny` are its own; null where it has none. */
  readonly options: string | null;
  open(model: string, options: Options, opening: Opening): Promise<OpenedModel>;
}
