/**
 * The end of a prompt: where the assistant's turn begins in it, and where it ends when the beginning of its text is
 * given. Both are found by rendering, not by knowing any template.
 */
import { AuditError } from '../errors.ts';
import type { TemplateMessage } from './messages.ts';
import type { Rendering } from './template.ts';

/**
 * The chat up to the end of the prefill. Templates end a turn in ways of their own, so a marker is put behind the
 * prefill and the text is cut there.
 */
export function continueTurn(
  messages: readonly TemplateMessage[],
  prefill: string,
  render: (turns: readonly TemplateMessage[]) => Rendering,
  templateSha256: string,
): Rendering {
  const marker = unusedMarker([...messages.map((message) => JSON.stringify(message)), prefill]);
  const rendering = render([...messages, { role: 'assistant', content: prefill + marker }]);
  const pieces = rendering.text.split(marker);
  const before = pieces[0]!;
  if (pieces.length === 2 && before.endsWith(prefill)) return { ...rendering, text: before };
  const what =
    pieces.length === 2
      ? "changes the assistant's text (white space in front, as a rule, or a thought); give the prefill as the template leaves it"
      : `writes the assistant's text ${pieces.length - 1} times; put the beginning of the answer into the user's message`;
  throw new AuditError('template_failed', `assistantPrefill cannot be used: the chat template ${what}`, {
    templateSha256,
  });
}

/** Letters that none of the texts holds. */
function unusedMarker(texts: readonly string[]): string {
  for (let number = 0; ; number += 1) {
    const marker = `EndOfPrefill${number}x`;
    if (!texts.some((text) => text.includes(marker))) return marker;
  }
}

/** Where the assistant's turn begins: what the chat without it begins with is not the assistant's. */
export function startOfAnswer(text: string, renderWithout: () => Rendering): number {
  let without = '';
  try {
    without = renderWithout().text;
  } catch (thrown) {
    // A template may refuse a chat that ends with the user's turn; then all of it is looked at.
    if (!(thrown instanceof AuditError)) throw thrown;
  }
  let at = 0;
  while (at < without.length && text[at] === without[at]) at += 1;
  return at;
}
