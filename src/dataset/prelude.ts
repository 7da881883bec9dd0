/**
 * What the first bytes of a file show before any format is asked: another kind of file than text (a compressed one, a
 * table of another program, a page, a pointer to a file that was not fetched), UTF-16, and the line ends of old Macs.
 * The first is refused with its name and what to do; the other two are turned into UTF-8 and line feeds on the way.
 */
import { AuditError } from '../errors.ts';

/** As much is looked at, or the whole file. */
const HEAD_BYTES = 64 * 1024;

interface Signature {
  readonly bytes: readonly number[] | string;
  readonly what: string;
  readonly advice: string;
}

const UNPACK = (command: string) => `unpack it (${command}) and give the file inside`;
const EXPORT = 'export the rows as CSV or JSON Lines';

const SIGNATURES: readonly Signature[] = [
  { bytes: [0x1f, 0x8b], what: 'a gzip file', advice: UNPACK('gunzip') },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], what: 'a zstd file', advice: UNPACK('unzstd') },
  { bytes: 'BZh', what: 'a bzip2 file', advice: UNPACK('bunzip2') },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], what: 'an xz file', advice: UNPACK('unxz') },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], what: 'a 7z archive', advice: UNPACK('7z x') },
  { bytes: [0x50, 0x4b, 3, 4], what: 'a zip archive', advice: UNPACK('unzip') },
  { bytes: 'PAR1', what: 'a Parquet file', advice: EXPORT },
  { bytes: 'ARROW1', what: 'an Arrow file', advice: EXPORT },
  { bytes: 'FEA1', what: 'a Feather file', advice: EXPORT },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: 'an Excel workbook (.xls)', advice: EXPORT },
  { bytes: 'SQLite format 3', what: 'an SQLite database', advice: EXPORT },
  { bytes: [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], what: 'a NumPy file', advice: EXPORT },
  { bytes: '%PDF', what: 'a PDF', advice: 'give the data as CSV or JSON Lines' },
  { bytes: 'GGUF', what: 'a GGUF model', advice: 'give it as the model, and a data file as the data' },
];

const LFS = 'version https://git-lfs.github.com/spec/';
const PAGE = /^\s*(?:<!doctype html|<html[\s>]|<head[\s>]|<\?xml\b)/i;

/** Throws `data_malformed` for what is no data file of any format that is read. */
function checkKind(head: Buffer, file: string): void {
  const fail = (what: string, advice: string): never => {
    throw new AuditError('data_malformed', `${file} is ${what}; ${advice}`, { file });
  };
  const text = head.toString('latin1', 0, 1024);
  for (const { bytes, what, advice } of SIGNATURES) {
    const signature = Buffer.from(bytes as string);
    if (!head.subarray(0, signature.length).equals(signature)) continue;
    // Three letters may begin a text as well.
    if (typeof bytes === 'string' && bytes.length < 5 && !head.subarray(0, 512).some((byte) => byte < 9))
      continue;
    if (what === 'a zip archive' && head.includes('xl/'))
      fail('an Excel workbook (.xlsx)', `${EXPORT} (Save as)`);
    fail(what, advice);
  }
  if (text.startsWith(LFS)) {
    const size = /\nsize (\d+)/.exec(text)?.[1];
    const bytes = size === undefined ? '' : ` of ${size} bytes`;
    fail(`a Git LFS pointer, not the data file${bytes} that it stands for`, 'fetch that with `git lfs pull`');
  }
  if (PAGE.test(text.replace(/^\u00ef\u00bb\u00bf/, ''))) {
    fail('a web page or XML, not data', 'download the file itself (on code hosts: "raw" or "download")');
  }
}

/** What carriage returns can be in it: within quotes of CSV and within lines of plain text they are text. */
export type TextKind = 'csv' | 'json' | 'text';

type Encoding = 'utf-16le' | 'utf-16be';

function encodingOf(head: Buffer, file: string): Encoding | null {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) {
    throw new AuditError('data_malformed', `${file} is UTF-32; save it as UTF-8`, { file });
  }
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** The bytes of a text file as UTF-8 with line feeds, whatever of the above it is. Throws `data_malformed`. */
export async function* textBytes(
  source: AsyncIterable<Buffer>,
  file: string,
  kind: TextKind,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = source[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let size = 0;
  let complete = false;
  while (size < HEAD_BYTES && !complete) {
    const { done, value } = await chunks.next();
    complete = done === true;
    if (value) read.push(value);
    size += value?.length ?? 0;
  }
  const head = read.length === 1 ? read[0]! : Buffer.concat(read);
  checkKind(head, file);
  const all = joined(head, chunks);
  const encoding = encodingOf(head, file);
  const utf8 = encoding === null ? all : decoded(all, encoding, file);
  // A lone carriage return within a line of plain text is text.
  if (kind === 'text' && encoding === null && head.includes(LINE_FEED)) yield* utf8;
  else yield* withLineFeeds(utf8, kind === 'csv');
}

/** What was read ahead, and the rest. */
export async function* joined(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    if (head.length > 0) yield head;
    for (let chunk = await rest.next(); !chunk.done; chunk = await rest.next()) yield chunk.value;
  } finally {
    await rest.return?.();
  }
}

async function* decoded(
  source: AsyncIterable<Buffer>,
  encoding: Encoding,
  file: string,
): AsyncGenerator<Buffer, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const message = `${file} begins as UTF-16 and is none further on; save it as UTF-8`;
    throw new AuditError('data_malformed', message, { file }, { cause });
  }
}

const QUOTE = 34;
const LINE_FEED = 10;
const RETURN = 13;

/**
 * Where the first line ends with a lone carriage return, all such line ends as line feeds. Within quotes of CSV they
 * are text and stay.
 */
async function* withLineFeeds(
  source: AsyncIterable<Buffer>,
  quoted: boolean,
): AsyncGenerator<Buffer, void, undefined> {
  let old: boolean | null = null;
  let inside = false;
  /** A carriage return at the end of a chunk: what it is shows in the next. */
  let held = false;
  for await (const part of source) {
    if (old === false) {
      yield part;
      continue;
    }
    const chunk: Buffer = held ? Buffer.concat([Buffer.from([RETURN]), part]) : part;
    held = chunk.at(-1) === RETURN;
    const own = Buffer.from(held ? chunk.subarray(0, -1) : chunk);
    for (let at = 0; at < own.length; at += 1) {
      const byte = own[at]!;
      if (byte === QUOTE && quoted) inside = !inside;
      else if (inside) continue;
      else if (byte === LINE_FEED) old ??= false;
      else if (byte === RETURN && (own[at + 1] ?? chunk[at + 1]) !== LINE_FEED) {
        old ??= true;
        own[at] = LINE_FEED;
      } else if (byte === RETURN) old ??= false;
      if (old === false) break;
    }
    if (old === false) {
      yield chunk;
      held = false;
    } else if (own.length > 0) yield own;
  }
  if (held) yield Buffer.from([old === false ? RETURN : LINE_FEED]);
}
