/** Vectors of texts as an endpoint gives them, checked: as many as were asked for, in their order, of one length, finite. */
import { AttemptFault, ofSaid } from './fault.ts';
import { headOf, type Served } from './reply.ts';
import { asJson, faultIn, isFields } from './words.ts';

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

function faulty(what: string): AttemptFault {
  return new AttemptFault(`the endpoint answered with other vectors than were asked for: ${what}`, {
    answered: true,
  });
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Some servers pack vectors whatever is asked: float32, the least byte first. */
function unpacked(text: string, index: number): Float32Array {
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (bytes.length === 0 || bytes.length % 4 !== 0)
    throw faulty(`that of text ${index} is ${asJson(text).slice(0, 60)}`);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

function vectorOf(given: unknown, index: number): Float32Array {
  if (typeof given === 'string') return unpacked(given, index);
  // A list of one vector is that vector.
  const values = Array.isArray(given) && given.length === 1 && Array.isArray(given[0]) ? given[0] : given;
  if (!Array.isArray(values) || values.length === 0) {
    throw faulty(`that of text ${index} is ${asJson(given).slice(0, 60)}`);
  }
  // NaN, and what JSON has no word for, arrives as null.
  const bad = values.findIndex((own) => typeof own !== 'number' || !Number.isFinite(own));
  if (bad !== -1)
    throw faulty(
      `that of text ${index} holds something else than an answer: ${asJson(values[bad]).slice(0, 40)} is no finite number`,
    );
  return Float32Array.from(values as number[]);
}

/** Throws AttemptFault for what is no answer to `texts` texts. */
export function readEmbeddings(raw: unknown, texts: number, now = 0): EmbeddingReply {
  const said = faultIn(raw);
  const list = isFields(raw) ? raw.data : raw;
  if (!Array.isArray(list)) {
    if (said) throw ofSaid(said, raw, now);
    throw new AttemptFault(
      `the endpoint answered with something else than vectors: ${asJson(raw).slice(0, 200)}`,
    );
  }
  if (list.length !== texts) {
    if (said) throw ofSaid(said, raw, now);
    throw faulty(`${list.length} for ${texts} texts`);
  }
  const vectors = new Array<Float32Array | undefined>(texts).fill(undefined);
  // Where none has a number, they stand in the order of the texts.
  const numbered = list.some((own) => isFields(own) && own.index !== undefined && own.index !== null);
  for (const [at, own] of list.entries()) {
    if (!isFields(own)) throw faulty(`an entry is ${asJson(own).slice(0, 60)}`);
    const index = numbered ? own.index : at;
    if (!Number.isSafeInteger(index) || (index as number) < 0)
      throw faulty(`one has the number ${asJson(index)}`);
    const place = index as number;
    if (place >= texts) throw faulty(`one of text ${place}, of ${texts} texts from 0`);
    if (vectors[place] !== undefined) throw faulty(`two of text ${place}`);
    vectors[place] = vectorOf(own.embedding, place);
  }
  const all = vectors as Float32Array[];
  const dimension = all[0]?.length;
  all.forEach((vector, index) => {
    if (vector.length !== dimension) throw faulty(`${dimension} and ${vector.length} entries`);
    if (!vector.every(Number.isFinite)) throw faulty(`text ${index} has entries that are not finite`);
    if (vector.every((entry) => entry === 0)) throw faulty(`that of text ${index} is 0`);
  });
  const head = headOf(isFields(raw) ? raw : {});
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
  return thrown.with(thrown.message, { blame: 'request', mayPass: false });
}
