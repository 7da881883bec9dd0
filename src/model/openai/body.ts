/**
 * The body of an answer as plain data, by what it looks like: JSON, or a stream of pieces in the form of server-sent events. What a
 * server says of its type is not asked, since servers and proxies say all sorts of things.
 */
import { AttemptFault } from './fault.ts';
import { wordsOfText } from './words.ts';

export type Body =
  | { readonly kind: 'whole'; readonly raw: unknown }
  /** `ended`: a line said that it was all. */
  | { readonly kind: 'pieces'; readonly pieces: readonly unknown[]; readonly ended: boolean }
  /** No data at all; what it says to a person. */
  | { readonly kind: 'text'; readonly text: string };

const NOT_FINITE = ['NaN', 'Infinity'];

/** JSON as programs write it that put NaN and Infinity into it, which are null, and control characters as they are into texts. */
function repaired(text: string): string {
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '"') {
      at += 1;
      for (; at < text.length && text[at] !== '"'; at += text[at] === '\\' ? 2 : 1) {
        if (text[at]! >= ' ') continue;
        out += `${text.slice(from, at)}\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
        from = at + 1;
      }
      continue;
    }
    const word = NOT_FINITE.find((own) => text.startsWith(own, at));
    if (word === undefined) continue;
    const start = text[at - 1] === '-' ? at - 1 : at;
    out += `${text.slice(from, start)}null`;
    at += word.length - 1;
    from = at + 1;
  }
  return out + text.slice(from);
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Perhaps below.
  }
  try {
    return JSON.parse(repaired(text));
  } catch {
    return undefined;
  }
}

const EVENT_LINE = /^(?:(?:data|event|id|retry|error)(?::|$)|:)/;
const END = '[DONE]';

function malformed(text: string): AttemptFault {
  return new AttemptFault(
    `the endpoint answered with malformed JSON: ${JSON.stringify(text.slice(0, 120))}${text.length > 120 ? '…' : ''}`,
  );
}

/** Data lines of one event are one text; of servers that leave out the empty line between events, several. */
function piecesOf(lines: readonly string[], event: string): unknown[] {
  const joined = lines.join('\n');
  if (joined.trim() === '') return [];
  const whole = parseJson(joined);
  const parsed = whole === undefined ? lines.filter((line) => line.trim() !== '').map(parseJson) : [whole];
  if (parsed.includes(undefined)) {
    // An error in words is no damage.
    if (event === 'error') return [{ error: joined }];
    throw malformed(joined);
  }
  if (event !== 'error') return parsed;
  return parsed.map((piece) =>
    typeof piece === 'object' && piece !== null && 'error' in piece ? piece : { error: piece },
  );
}

function readEvents(text: string): Body {
  const pieces: unknown[] = [];
  let lines: string[] = [];
  let event = '';
  const take = () => {
    pieces.push(...piecesOf(lines, event));
    lines = [];
    event = '';
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === '') {
      take();
      continue;
    }
    const at = line.indexOf(':');
    const name = at === -1 ? line : line.slice(0, at);
    // Where a stream is passed on, its lines may be wrapped twice.
    const value =
      at === -1
        ? ''
        : line
            .slice(at + 1)
            .replace(/^ /, '')
            .replace(/^data: ?/, '');
    if (name === 'event') event = value.trim();
    // As old servers of llama.cpp say it.
    if (name === 'error') event = name;
    else if (name !== 'data') continue;
    if (value.trim() === END) {
      take();
      return { kind: 'pieces', pieces, ended: true };
    }
    lines.push(value);
  }
  // What stands behind the last empty line may be cut off; whole, it counts.
  if (lines.every((line) => line.trim() === '' || parseJson(line) !== undefined)) take();
  else if (pieces.length === 0) throw malformed(lines.join('\n'));
  return { kind: 'pieces', pieces, ended: false };
}

/** Behind a body there may be blanks, and zeros of a buffer. */
function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end -= 1;
  return end;
}

/** The end of a stream behind an answer that is none. */
function withoutEnd(text: string): string {
  return text.endsWith(END) ? text.slice(0, -END.length).replace(/data: ?$/, '') : text;
}

/** Throws AttemptFault for what is damaged. */
export function readBody(given: string): Body {
  const all = given.replace(/^[\uFEFF\s]+/, '');
  if (EVENT_LINE.test(all)) return readEvents(all);
  const text = all.slice(0, endOf(all));
  const raw = parseJson(text) ?? parseJson(withoutEnd(text));
  if (raw !== undefined) return { kind: 'whole', raw };
  if (!text.startsWith('{') && !text.startsWith('[')) return { kind: 'text', text: wordsOfText(text) };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pieces = lines.length > 1 ? lines.map(parseJson) : [undefined];
  if (pieces.includes(undefined)) throw malformed(text);
  return { kind: 'pieces', pieces, ended: false };
}
