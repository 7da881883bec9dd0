/** Hashes for the manifest: what a run was made of. SHA-256, in hexadecimal. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { OccupationStatistic } from '../contract/index.ts';
import type { AskedTexts, Tokenizer } from '../observation/observation.ts';

/** A file of a run: what is needed to know it again. */
export interface HashedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Each file's hash, and that of all of them one after the other. */
export async function hashFiles(
  paths: readonly string[],
): Promise<{ readonly sha256: string; readonly files: readonly HashedFile[] }> {
  const whole = createHash('sha256');
  const files: HashedFile[] = [];
  for (const path of paths) {
    const own = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      own.update(chunk);
      // Of one file both are the same.
      if (paths.length > 1) whole.update(chunk);
      bytes += chunk.length;
    }
    files.push({ path, sha256: own.digest('hex'), bytes });
  }
  return { sha256: files.length === 1 ? files[0]!.sha256 : whole.digest('hex'), files };
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

/** Over a statistic's occupations and their numbers, in order of name: a list in another order is the same one. */
export function hashStatistic({ values }: OccupationStatistic): string {
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

/**
 * Over what the model was given, in the order of the rows: for every request a line of JSON, {special, texts} (and `behind`,
 * what was to be put behind the text that is written), with chats as they were rendered, and `null` for one that could not be rendered. Where windows end, what else failed and
 * what came back leave no trace, so the same data, template and options have the same hash. It is a chain, the hash of the one
 * before (in hexadecimal; at first of nothing) and the line, so that a run that was stopped can continue it.
 */
export class PromptsHash {
  #last: string;

  constructor(last: string = sha256('')) {
    this.#last = last;
  }

  add(asked: readonly (AskedTexts | null)[]): void {
    for (const request of asked) {
      const { special, texts, behind } = request ?? {};
      const line = request && { special, texts, ...(behind === undefined ? {} : { behind }) };
      this.#last = sha256(`${this.#last}${JSON.stringify(line)}\n`);
    }
  }

  /** In hexadecimal. */
  digest(): string {
    return this.#last;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
