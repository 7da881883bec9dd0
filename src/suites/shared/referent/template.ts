/** The question whom a pronoun names, as a text that a model continues: a template, filled in with a sentence. */

import type { TextOption } from '../../../contract/options.ts';
import { AuditError } from '../../../errors.ts';

const PLACEHOLDERS = ['sentence', 'pronoun', 'Pronoun'] as const;
const SHOWN = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');
const PLACEHOLDER = /\{([^{}]*)\}/g;

export const templateOption = {
  kind: 'text',
  default: "{sentence} '{Pronoun}' refers to the",
  unit: 'text',
  help: `what the candidates continue, with ${SHOWN} (the pronoun with a capital) filled in`,
} as const satisfies TextOption;

/** Throws `bad_argument` for a template with an unknown placeholder, or without the sentence. */
export function checkTemplate(suite: string, template: string): void {
  const names = Array.from(template.matchAll(PLACEHOLDER), ([, name]) => name!);
  const unknown = names.find((name) => !PLACEHOLDERS.some((known) => known === name));
  const fault =
    unknown !== undefined
      ? `has the placeholder {${unknown}}`
      : names.includes('sentence')
        ? null
        : 'has no {sentence}';
  if (fault === null) return;
  throw new AuditError('bad_argument', `${suite}: template ${fault}; the placeholders are ${SHOWN}`, {
    suite,
    key: 'template',
    ...(unknown === undefined ? {} : { placeholder: unknown }),
  });
}

/** `template` with a sentence and its pronoun in place; braces in the sentence stay what they are. */
export function fillTemplate(template: string, sentence: string, pronoun: string): string {
  const values = new Map([
    ['sentence', sentence],
    ['pronoun', pronoun],
    ['Pronoun', pronoun.charAt(0).toUpperCase() + pronoun.slice(1).toLowerCase()],
  ]);
  return template.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}
