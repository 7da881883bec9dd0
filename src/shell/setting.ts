/** Options that set keys: KEY=VALUE, given any number of times. */
import { InvalidArgumentError } from 'commander';

type Settings = Readonly<Record<string, string>>;

/** A parser of such an option; which keys and values there are is not its business. `example` is what help shows. */
export function setting(example: string): (text: string, before?: Settings) => Settings {
  return (text, before = {}) => {
    const equals = text.indexOf('=');
    const [key, value] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
    if (equals === -1 || key === '' || value === '') {
      throw new InvalidArgumentError(`Give KEY=VALUE, as in ${example}.`);
    }
    if (Object.hasOwn(before, key)) throw new InvalidArgumentError(`${key} is set twice; give it once.`);
    return { ...before, [key]: value };
  };
}
