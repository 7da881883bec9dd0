/**
 * What servers that call themselves compatible do otherwise, each as a change of an answer that is as it should be. They can be
 * put together, apply to chats and completions, whole or streamed, and to every request or to some.
 */
import { type Draft, type Oddity, textOf } from './draft.ts';
import type { SentRequest } from './server.ts';

type Fields = Record<string, unknown>;
type About = Parameters<Oddity>[1];

const choicesOf = (value: unknown) => ((value as Fields).choices ?? []) as Fields[];

/** Changes the data of an answer, whole or in pieces. */
export const data =
  (change: (value: Fields) => unknown): Oddity =>
  (draft) => ({
    ...draft,
    ...(draft.whole === undefined ? {} : { whole: change(draft.whole as Fields) }),
    ...(draft.pieces === undefined ? {} : { pieces: draft.pieces.map((piece) => change(piece as Fields)) }),
  });

/** Sets fields of every answer and piece. */
export const fields = (own: Fields): Oddity => data((value) => ({ ...value, ...own }));

/** Changes each choice. */
export const choice = (change: (own: Fields) => Fields): Oddity =>
  data((value) => ({ ...value, choices: choicesOf(value).map(change) }));

/** The word for how the text ended, wherever one stands. */
export const finish = (word: unknown): Oddity =>
  choice((own) => (own.finish_reason === null ? own : { ...own, finish_reason: word }));

/** Changes the message of a chat, or its pieces, or the text of a completion. `last`: the piece that ends. */
export const content = (change: (text: string) => unknown): Oddity =>
  choice((own) => {
    if ('text' in own) return { ...own, text: change(own.text as string) };
    const key = 'delta' in own ? 'delta' : 'message';
    const message = own[key] as Fields;
    return 'content' in message
      ? { ...own, [key]: { ...message, content: change(message.content as string) } }
      : own;
  });

/** Fields of the message, or of its first piece. */
export const message = (own: Fields): Oddity =>
  choice((given) => {
    const key = 'delta' in given ? 'delta' : 'message';
    return key in given ? { ...given, [key]: { ...(given[key] as Fields), ...own } } : { ...given, ...own };
  });

/** Only where the condition holds. */
export const when =
  (holds: (about: About) => boolean, oddity: Oddity): Oddity =>
  (draft, about) =>
    holds(about) ? oddity(draft, about) : draft;

export const notProbes = (oddity: Oddity) => when(({ probe }) => !probe, oddity);

/** Those that are asked about a text. */
export const asked = (text: string) => (about: { request: SentRequest }) =>
  JSON.stringify(about.request.body).includes(text);

/** Another status, with whatever body. */
export const refuse =
  (status: number, body: unknown, headers: Draft['headers'] = {}): Oddity =>
  () => ({ status, headers, raw: [typeof body === 'string' ? body : JSON.stringify(body)] });

/** A body of another kind under the status of an answer. */
export const instead = (body: unknown, headers: Draft['headers'] = {}): Oddity => refuse(200, body, headers);

/** Changes how it is written, and in how many pieces it goes over the wire. */
export const wire =
  (change: (text: string, draft: Draft) => Draft['raw'], own: Partial<Draft> = {}): Oddity =>
  (draft) => {
    return { ...draft, ...own, raw: change(textOf(draft), draft)! };
  };

export const headers =
  (own: NonNullable<Draft['headers']>): Oddity =>
  (draft) => ({
    ...draft,
    headers: { ...draft.headers, ...own },
  });

/** Every byte on its own: characters and lines are cut anywhere. */
export const byteByByte: Oddity = wire((text) => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7));
});

/** GPT-2's spelling of a text. */
export function byteLevel(text: string): string {
  let out = '';
  for (const byte of Buffer.from(text)) {
    if (byte === 32) out += 'Ġ';
    else if (byte === 10) out += 'Ċ';
    else if (byte >= 33 && byte <= 126) out += String.fromCharCode(byte);
    else if ((byte >= 161 && byte <= 172) || byte >= 174) out += String.fromCharCode(byte);
    else throw new Error(`no spelling of byte ${byte} here`);
  }
  return out;
}

export const sentencePiece = (text: string) => text.replaceAll(' ', '▁');
