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

/** Pieces asked for in one call: few calls, and no message that holds a whole vocabulary. */
const PIECES_A_CALL = 8192;

/** Over every token's text in order of id: two models with one tokenizer have one hash. */
export async function hashTokenizer(tokenizer: Tokenizer): Promise<string> {
  const hash = createHash('sha256');
  for (let first = 0; first < tokenizer.vocabSize; first += PIECES_A_CALL) {
    const length = Math.min(PIECES_A_CALL, tokenizer.vocabSize - first);
    const ids = Int32Array.from({ length }, (_, index) => first + index);
    for (const piece of await tokenizer.pieces(ids)) hash.update(piece).update('\0');
  }
  return hash.digest('hex');
}
