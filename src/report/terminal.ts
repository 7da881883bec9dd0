/**
 * The one door to the terminal: everything that goes to stdout or stderr goes through here, and a test holds that nothing
 * else in src writes there. What files, models and servers say is part of most messages, and a terminal obeys what it is
 * sent: so what it would obey, and what it would not show, is spelt out as `\u001b`, in pipes and logs too, as these
 * end on terminals. The spelling is that of JSON: a line of JSON stays the same value.
 *
 * Text stays text. A joiner that shapes a word of Arabic, Persian or Hindi or joins an emoji is kept where it does that, a
 * variation selector behind what it varies, a right-to-left mark behind a right-to-left letter; the same characters
 * anywhere else are hidden, and shown.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

/** Controls, separators of lines and paragraphs, halves of surrogate pairs, and what Unicode says is not to be seen. */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}]/gu;
/** Letters and marks of scripts whose letters join, an emoji or what modifies one: what a joiner may stand behind. */
const JOINS =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Common}\p{Default_Ignorable_Code_Point}])[\p{L}\p{M}])$/u;
const VARIES = /[^\p{Cc}\p{Z}\p{Cs}\p{Default_Ignorable_Code_Point}]$/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]$/u;

/** Text in which everything can be seen; line feeds and tabs stay. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character, at: number) => {
    if (character === '\n' || character === '\t') return character;
    const before = text.slice(Math.max(0, at - 2), at);
    if (/[\u200C\u200D]/.test(character) && JOINS.test(before)) return character;
    if (/[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/u.test(character) && VARIES.test(before)) return character;
    if (/[\u200F\u061C]/.test(character) && RIGHT_TO_LEFT.test(before)) return character;
    return spelt(character);
  });
}

/** {@link visible} on one line: what breaks lines becomes a space. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\r\n|[\r\n\t\v\f\u0085\u2028\u2029]/g, ' '));
}

function spelt(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Stands for the escape character of our own styles; nobody else can know it. */
const MARK = `\u001b${randomBytes(12).toString('hex')}`;

/** Styles for text that goes through this door, where `on`. */
export function styles(on: boolean): { bold: (text: string) => string; dim: (text: string) => string } {
  const styled = (open: number) => (text: string) => (on ? `${MARK}[${open}m${text}${MARK}[22m` : text);
  return { bold: styled(1), dim: styled(2) };
}

/** What a stream is sent for `text`. */
export function forScreen(text: string): string {
  return text.split(MARK).map(visible).join('\u001b');
}

export function isTerminal(stream: 'stdout' | 'stderr' = 'stdout'): boolean {
  return process[stream].isTTY === true;
}

/** Colour only for a terminal, and not where it is refused (no-color.org) or cannot be shown. */
export function wantsColor(
  stream: { readonly isTTY?: boolean } = process.stdout,
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
}

/** Writes to stdout. */
export function print(text: string): void {
  process.stdout.write(forScreen(text));
}

/** {@link print}, and waits where its reader is slow. */
export async function printAll(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(forScreen(text))) await once(process.stdout, 'drain');
}

/** The bytes of a file that was asked for: as they are for a file or a pipe, as text to look at on a terminal. */
export function printFile(bytes: Uint8Array): void {
  if (isTerminal()) print(new TextDecoder().decode(bytes));
  else process.stdout.write(bytes);
}

/** Writes to stderr. */
export function printError(text: string): void {
  process.stderr.write(forScreen(text));
}

/** Empties the line that the cursor is in, such as a progress bar's; nothing where the stream is no terminal. */
export function clearLine(stream: 'stdout' | 'stderr'): void {
  if (isTerminal(stream)) process[stream].write('\r\u001b[K');
}

/** Where a progress bar draws itself; its words are {@link visibleLine}. */
export function progressStream(): NodeJS.WriteStream {
  return process.stderr;
}

/** A reader that stops reading stdout (`| head`) ends the program quietly; other faults of stdout go to `onFault`. */
export function endWithReader(exitCode: number, onFault: (fault: Error) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode);
    onFault(error);
  });
  // Nobody reads what would be said about it.
  process.stderr.on('error', () => undefined);
}
