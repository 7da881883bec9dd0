/** Hashes for the manifest: what a run was made of. SHA-256, in hexadecimal. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Tokenizer } from '../observation.ts';

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Over every token's text in order of id: two models with one tokenizer have one hash. */
export function hashTokenizer(tokenizer: Tokenizer): string {
  const hash = createHash('sha256');
  for (let token = 0; token < tokenizer.vocabSize; token += 1) {
    hash.update(tokenizer.piece(token)).update('\0');
  }
  return hash.digest('hex');
}
