/** Continuations of a prompt, and how their scores are made comparable. */
import type { ObservedScore } from './observed.ts';
import type { ChoiceOption } from './options.ts';

export const normaliseOption = {
  kind: 'choice',
  choices: ['sum', 'token', 'byte'],
  default: 'sum',
  help: 'how continuations are compared: by their log-probability, or by it per token or per byte',
} as const satisfies ChoiceOption;

export type Normalise = (typeof normaliseOption.choices)[number];

/** `text` as what follows a prompt: behind one space, unless either brings its own. */
export function continuationOf(prompt: string, text: string): string {
  return /\s$/.test(prompt) || /^\s/.test(text) ? text : ` ${text}`;
}

/** What is compared. Nats, as a whole or per token or byte. */
export function comparedValue(
  {
    logProb,
    logProbPerToken,
    logProbPerByte,
  }: Pick<ObservedScore, 'logProb' | 'logProbPerToken' | 'logProbPerByte'>,
  normalise: Normalise,
): number {
  return { sum: logProb, token: logProbPerToken, byte: logProbPerByte }[normalise];
}
