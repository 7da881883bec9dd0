/**
 * A model file on which llama.cpp fails an assertion: the planted model with one token's text in its vocabulary twice,
 * which the product's own check of a file does not look for.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantedFiles } from '../e2e/planted.ts';
import { temporaryFolder } from '../temporary.ts';

/** A string as GGUF writes it: its length in 8 bytes, then its bytes. */
function ggufString(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
}

/** Path of the file, which goes away with the test. */
export async function hostileModel(): Promise<string> {
  const { planted } = await plantedFiles();
  const words = planted.vocabulary.tokens.filter(({ word }) => word !== null).map(({ text }) => text);
  const first = words[0]!;
  const second = words.find(
    (text) => text !== first && Buffer.byteLength(text) === Buffer.byteLength(first),
  )!;
  const bytes = Buffer.from(planted.bytes);
  ggufString(first).copy(bytes, bytes.indexOf(ggufString(second)));
  const file = join(temporaryFolder(), 'hostile.gguf');
  writeFileSync(file, bytes);
  return file;
}
