/** Image files as an endpoint takes them: inside the request, as data URLs. */
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AuditError } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';

/** By the first bytes: names lie more often. */
const TYPES: readonly (readonly [type: string, matches: (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))],
  ['image/webp', (bytes) => /^RIFF.{4}WEBP/s.test(bytes.subarray(0, 12).toString('latin1'))],
];

export interface ImageOptions {
  /** What paths start from. */
  readonly imageRoot: string;
  readonly maxImageBytes: number;
}

/** Of a path with a `*` in its name, the first file in order of name that it may mean. */
async function findFile(root: string, image: string): Promise<string> {
  const whole = path.resolve(root, image);
  const [start, end] = path.basename(whole).split('*');
  if (end === undefined) return whole;
  const folder = path.dirname(whole);
  const names = await readdir(folder).catch((cause) => {
    throw fileError(folder, cause);
  });
  const found = names.sort().find((name) => name.startsWith(start!) && name.endsWith(end));
  if (found !== undefined) return path.join(folder, found);
  throw new AuditError('file_not_found', `${whole}: no file of such a name; check where images start`, {
    file: whole,
  });
}

/**
 * Throws `file_not_found`, `file_unreadable`, and `bad_argument` for a file that is too large or no PNG, JPEG, GIF or
 * WebP.
 */
export async function imageUrl(image: string, { imageRoot, maxImageBytes }: ImageOptions): Promise<string> {
  const file = await findFile(imageRoot, image);
  const handle = await open(file, 'r').catch((cause) => {
    throw fileError(file, cause);
  });
  try {
    const { size } = await handle.stat();
    if (size > maxImageBytes) {
      const message = `${file} has ${size} bytes, and at most ${maxImageBytes} are sent; make it smaller, or allow more (maxImageBytes)`;
      throw new AuditError('bad_argument', message, { file, bytes: size });
    }
    const bytes = await handle.readFile();
    const type = TYPES.find(([, matches]) => matches(bytes))?.[0];
    if (type !== undefined) return `data:${type};base64,${bytes.toString('base64')}`;
    const message = `${file} is no PNG, JPEG, GIF or WebP; give one of these`;
    throw new AuditError('bad_argument', message, { file });
  } catch (cause) {
    throw fileError(file, cause);
  } finally {
    await handle.close();
  }
}
