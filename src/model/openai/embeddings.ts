/** Vectors of texts as an endpoint gives them, checked: as many as were asked for, in their order, of one length, finite. */
import { z } from 'zod';
import { AttemptFault } from './fault.ts';
import { headOf, readChecked, replyHead, type Served } from './reply.ts';

/** What is sent. */
export interface EmbeddingBody {
  readonly model: string;
  readonly input: readonly string[];
  readonly encoding_format: 'float';
  readonly dimensions?: number;
}

export interface EmbeddingReply extends Served {
  /** One a text, in order. */
  readonly vectors: readonly Float32Array[];
}

const schema = z.looseObject({
  ...replyHead,
  data: z.array(z.looseObject({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});

function faulty(what: string): AttemptFault {
  return new AttemptFault(`the endpoint answered with other vectors than were asked for: ${what}`);
}

/** Throws AttemptFault for what is no answer to `texts` texts. */
export function readEmbeddings(raw: unknown, texts: number): EmbeddingReply {
  const reply = readChecked(schema, raw);
  if (reply.data.length !== texts) throw faulty(`${reply.data.length} for ${texts} texts`);
  const vectors = new Array<Float32Array | undefined>(texts).fill(undefined);
  for (const { index, embedding } of reply.data) {
    if (index >= texts) throw faulty(`one of text ${index}, of ${texts} texts from 0`);
    if (vectors[index] !== undefined) throw faulty(`two of text ${index}`);
    vectors[index] = Float32Array.from(embedding);
  }
  const all = vectors as Float32Array[];
  const dimension = all[0]?.length;
  all.forEach((vector, index) => {
    if (vector.length !== dimension) throw faulty(`${dimension} and ${vector.length} entries`);
    if (!vector.every(Number.isFinite)) throw faulty(`text ${index} has entries that are not finite`);
    if (vector.every((entry) => entry === 0)) throw faulty(`that of text ${index} is 0`);
  });
  const head = headOf(reply);
  // Nothing is written, so that nothing of it is unknown.
  return { ...head, counts: { ...head.counts, output: 0 }, vectors: all };
}

/** How servers say that a text is longer than the model takes; some of them as a fault of their own. */
const TOO_LONG =
  /context (?:length|size|window)|maximum input length|too (?:long|large)|(?:less|fewer|more) than \d+ tokens/i;

export function saysTooLong(message: string): boolean {
  return TOO_LONG.test(message);
}

/** A fault that no other attempt would mend, where the server says so by the status of one that might. */
export function withoutHope(thrown: unknown): unknown {
  if (!(thrown instanceof AttemptFault) || thrown.status === null || !saysTooLong(thrown.message))
    return thrown;
  return new AttemptFault(thrown.message, { ...thrown, blame: 'request', mayPass: false });
}
