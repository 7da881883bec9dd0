/** Texts by templates that are no chats', such as the sentences of a scale: what the render process runs for them. */
import { charactersIn } from './control.ts';
import { freeNames } from './names.ts';
import type { ChatTemplate } from './template.ts';

export interface NamedTemplate {
  /** What messages call it. */
  readonly name: string;
  readonly source: string;
}

export type TemplateValues = Readonly<Record<string, unknown>>;

/** A text of one template, by its place, for each of `values`; null: which names does it take? */
export interface TextJob {
  readonly template: number;
  readonly values: readonly TemplateValues[] | null;
}

/** Throws `template_failed`. */
export function textsFor(template: ChatTemplate, { values }: TextJob): readonly string[] {
  const names = freeNames(template.source);
  if (values === null) return names;
  return values.map((all) => {
    const own = Object.fromEntries(
      names.filter((name) => Object.hasOwn(all, name)).map((name) => [name, all[name]]),
    );
    return template.render(own, { given: charactersIn(own) }).text;
  });
}
