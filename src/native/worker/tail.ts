/** The last bytes of a stream, for messages about a process that is gone. */

/** Enough for a failed assertion with its stack. */
const TAIL_BYTES = 4096;

export class Tail {
  #bytes = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-TAIL_BYTES);
  }

  /** As text, trimmed. A character that was cut in two shows as a replacement character. */
  text(): string {
    return this.#bytes.toString('utf8').trim();
  }
}
