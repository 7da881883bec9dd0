/** Hashes for the manifest: what a run was made of. SHA-256, in hexadecimal. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { AskedTexts, Tokenizer } from '../observation.ts';

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
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

/**
 * Over what the model was given, in the order of the rows: for every request a line of JSON, {special, texts}, with
 * chats as they were rendered, and `null` for one that could not be rendered. Where windows end, what else failed and
 * what came back leave no trace, so the same data, template and options have the same hash.
 */
export class PromptsHash {
  readonly #hash = createHash('sha256');

  add(asked: readonly (AskedTexts | null)[]): void {
    for (const request of asked) {
      const line = request && { special: request.special, texts: request.texts };
      this.#hash.update(`${JSON.stringify(line)}\n`);
    }
  }

  /** In hexadecimal. Nothing can be added after it. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}
