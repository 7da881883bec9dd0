/** The hash over what was asked, worked out once more: a chain, each link over the one before and a line of JSON. */
import { createHash } from 'node:crypto';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export function promptsHash(lines: readonly (object | null)[]): string {
  return lines.reduce((last: string, line) => sha256(`${last}${JSON.stringify(line)}\n`), sha256(''));
}
