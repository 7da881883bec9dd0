/** An answer in free text at temperature 0: the options by which it is asked for, and the request that they make. */

import type { OptionTable, OptionValues } from '../../../contract/options.ts';
import { AuditError } from '../../../errors.ts';
import type { GenerateRequest } from '../../../observation/observation.ts';
import type { ObservedGeneration } from '../../../observation/observed.ts';

const PLACE = '{prompt}';

/** The table of a suite that asks so; `maxTokens` is its own default. */
export function freeAnswerOptions<Most extends number>(maxTokens: Most) {
  return {
    maxTokens: {
      kind: 'whole',
      least: 1,
      default: maxTokens,
      unit: 'n',
      help: 'most tokens of an answer; one that is cut there is counted as truncated',
    },
    stop: { kind: 'text', default: null, unit: 'text', help: 'an answer ends in front of this text' },
    template: {
      kind: 'text',
      default: PLACE,
      unit: 'text',
      help: `what the model is given, with ${PLACE} for the row's own prompt`,
    },
    chat: {
      kind: 'switch',
      default: false,
      help: "ask as a user's message in the model's own chat template",
    },
  } as const satisfies OptionTable;
}

export type FreeAnswerOptions = OptionValues<ReturnType<typeof freeAnswerOptions<number>>>;

/** Throws `bad_argument` for a template without a place for the prompt, and for a stop text that is empty. */
export function checkFreeAnswer(suite: string, { template, stop }: FreeAnswerOptions): void {
  if (!template.includes(PLACE)) {
    const message = `${suite}: the template has no ${PLACE}; put it where the row's prompt is to stand`;
    throw new AuditError('bad_argument', message, { suite, key: 'template' });
  }
  if (stop === '') {
    const message = `${suite}: stop is empty; give the text that ends an answer, or leave it out`;
    throw new AuditError('bad_argument', message, { suite, key: 'stop' });
  }
}

/** What the model is given for a prompt. */
export function promptOf(prompt: string, { template, chat }: FreeAnswerOptions): GenerateRequest['prompt'] {
  const content = template.replaceAll(PLACE, () => prompt);
  return chat ? { messages: [{ role: 'user', content }] } : content;
}

export function freeAnswerRequest(prompt: string, options: FreeAnswerOptions): GenerateRequest {
  const { maxTokens, stop } = options;
  return {
    kind: 'generate',
    prompt: promptOf(prompt, options),
    temperature: 0,
    maxTokens,
    ...(stop === null ? {} : { stop: [stop] }),
  };
}

/** The model was cut short: it might have continued. */
export function isTruncated({ finish }: ObservedGeneration): boolean {
  return finish === 'length' || finish === 'context';
}
