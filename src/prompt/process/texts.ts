/** The templates of one file that are no chats', rendered in a process that can be ended. */
import { AuditError } from '../../errors.ts';
import { charactersIn } from '../control.ts';
import type { NamedTemplate, TemplateValues, TextJob } from '../texts.ts';
import { RenderHost } from './host.ts';

/** Values of one job: few enough that a process ends for what is a template's fault, and many for what a job costs. */
const MAX_VALUES = 64;
const MAX_CHARACTERS = 2 ** 20;

/** A template, by its place, and each of the values that it is to be rendered with. */
export interface TextRequest {
  readonly template: number;
  readonly values: readonly TemplateValues[];
}

export class TextHost {
  readonly #templates: readonly NamedTemplate[];
  readonly #host: RenderHost;

  constructor(templates: readonly NamedTemplate[]) {
    this.#templates = templates;
    this.#host = new RenderHost({ texts: templates }, null);
  }

  /** The names that each template takes from outside, or why it cannot be parsed (`template_failed`). */
  async names(signal?: AbortSignal): Promise<readonly (readonly string[] | AuditError)[]> {
    const jobs = this.#templates.map((_, template): TextJob => ({ template, values: null }));
    return (await this.#host.ask(jobs, signal)) as readonly (readonly string[] | AuditError)[];
  }

  /** The texts of each request. Throws `template_failed` for the first that cannot be rendered, and `cancelled`. */
  async render(requests: readonly TextRequest[], signal?: AbortSignal): Promise<string[][]> {
    const jobs = requests.map(({ template, values }) =>
      portions(values).map((portion): TextJob => ({ template, values: portion })),
    );
    const answers = await this.#host.ask(jobs.flat(), signal);
    const fault = answers.find((answer) => answer instanceof AuditError);
    if (fault !== undefined) throw fault;
    let next = 0;
    return jobs.map((own) => {
      const texts = answers.slice(next, next + own.length) as readonly (readonly string[])[];
      next += own.length;
      return texts.flat();
    });
  }

  /** Its calls have ended. */
  close(): Promise<void> {
    return this.#host.release();
  }
}

function portions(values: readonly TemplateValues[]): TemplateValues[][] {
  const all: TemplateValues[][] = [];
  let room = 0;
  for (const one of values) {
    const characters = charactersIn(one);
    if (all.length === 0 || all.at(-1)!.length === MAX_VALUES || room < characters) {
      all.push([]);
      room = MAX_CHARACTERS;
    }
    all.at(-1)!.push(one);
    room -= characters;
  }
  return all;
}
