/** What a data file says of itself: the name of its split. */
import { open } from 'node:fs/promises';
import { anySuite } from '../../../contract/index.ts';
import { AuditError } from '../../../errors.ts';
import { fileError } from '../../../files/file-error.ts';
import { dataFiles } from '../../../run/data.ts';
import { rules } from '../ask/rules.ts';

/** Of `{"metadata": {"split": "test"}, ...}` test, without reading the rest; null where the file begins otherwise. */
function splitIn(head: string): string | null {
  return (
    /^[^[]{0,4000}?"metadata"\s*:\s*\{[^{}]{0,4000}?"split"\s*:\s*"(?<split>[^"\\]*)"/.exec(head)?.groups
      ?.split ?? null
  );
}

const HEAD_BYTES = 16_384;

async function headOf(file: string): Promise<string> {
  try {
    await using handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (cause) {
    throw fileError(file, cause);
  }
}

/** Throws `bad_argument` where a file says that it is another split than `split`. */
export async function checkSplit(data: string | readonly string[], split: string): Promise<void> {
  for (const file of dataFiles(anySuite(rules), data)) {
    const own = splitIn(await headOf(file));
    if (own === null || own === split) continue;
    const message = `${file} is the split ${JSON.stringify(own)}, and --split says ${JSON.stringify(split)}; give --split ${own}, or the data of ${split}`;
    throw new AuditError('bad_argument', message, { key: 'split', split, file });
  }
}
