/** What of the first stage's text the second stage goes on from: all of it, with a thought closed that was left open. */

const OPEN = '<think>';
const CLOSE = '</think>';
const END = `\n${CLOSE}\n\n`;

/** `tail`: the prompt that the text was generated behind, as far as the assistant speaks in it. */
export function carriedText(tail: string, text: string): string {
  const before = tail.toLowerCase();
  // A prompt that has closed the thought itself says that there is none.
  if (text === '' || before.includes(CLOSE)) return text;
  const own = text.toLowerCase();
  const open = own.includes(CLOSE)
    ? own.lastIndexOf(OPEN) > own.lastIndexOf(CLOSE)
    : own.includes(OPEN) || before.includes(OPEN);
  return open ? `${text.trimEnd()}${END}` : text;
}
