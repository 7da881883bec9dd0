/**
 * Built-in mocks of models that are asked for scores: numbers out of a hash of what they are asked, so that a run can be
 * shown and tested without a model. They are no language models, and their numbers mean nothing.
 */
import { createHash } from 'node:crypto';
import { AuditError } from '../../errors.ts';
import type { Prompt } from '../../prompt/index.ts';
import { isChat } from '../prompts.ts';
import { PolicyModel } from './policy.ts';

export const MOCK_PREFIX = 'mock:';
export const SCALE_MOCK = `${MOCK_PREFIX}scale`;

export function isMock(model: string): boolean {
  return model.startsWith(MOCK_PREFIX);
}

/**
 * Opens `mock:scale`. It reads a request's `roles`, from the keys of the answer to the range of each ("6..30"): the n-th key
 * is its least value + byte n of the SHA-256 of the chat's messages, a line feed between them, modulo the number of values.
 * Where `letters` are offered instead ("ABC"), it gives the one at byte 0 modulo their number. Throws `bad_argument` for
 * another name.
 */
export function openMock(model: string): PolicyModel {
  if (model === SCALE_MOCK)
    return new PolicyModel(model, (roles, asked) => answerOf(roles, JSON.parse(asked)));
  throw new AuditError('bad_argument', `there is no built-in mock "${model}"; give ${SCALE_MOCK}`, { model });
}

function answerOf(roles: Readonly<Record<string, string>>, prompt: Prompt): string | undefined {
  const text = isChat(prompt) ? prompt.messages.map(({ content }) => content).join('\n') : prompt;
  const hash = createHash('sha256').update(text).digest();
  if (roles.letters !== undefined) return roles.letters[hash[0]! % roles.letters.length];
  const ranges = Object.entries(roles).map(([key, range]) => ({
    key,
    found: /^(-?\d+)\.\.(-?\d+)$/.exec(range),
  }));
  if (ranges.length === 0 || ranges.some(({ found }) => found === null)) return undefined;
  const scores = ranges.map(({ key, found }, index) => {
    const [least, most] = [Number(found![1]), Number(found![2])];
    return [key, least + (hash[index % hash.length]! % (most - least + 1))];
  });
  return JSON.stringify(Object.fromEntries(scores));
}
