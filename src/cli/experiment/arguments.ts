/** What the options of `experiment create` and `experiment update` hold. */
import { InvalidArgumentError } from 'commander';

/** KEY=VALUE, given any number of times; which keys and values there are is not its business. */
export function setting(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const equals = text.indexOf('=');
  const [key, value] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
  if (equals === -1 || key === '' || value === '') {
    throw new InvalidArgumentError('Give KEY=VALUE, as in image=aug.');
  }
  if (Object.hasOwn(before, key)) throw new InvalidArgumentError(`${key} is set twice; give it once.`);
  return { ...before, [key]: value };
}
