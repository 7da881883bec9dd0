/** Text out of files and models, whole, on its way to stdout or stderr; cells of tables have a rule of their own. */

/** `text` as it is for a file or a pipe; for a terminal without the control characters that could steer it. */
export function forTerminal(text: string, stream: { readonly isTTY?: boolean } = process.stdout): string {
  if (!stream.isTTY) return text;
  return text.replace(/[^\P{Cc}\n\t]/gu, (character) => {
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
  });
}
