/** An answer before it is sent, so that a test can change any of it: the data, how they are written, and how the connection ends. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export interface SentBody {
  readonly model: string;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly prompt?: string;
  /** Of embeddings. */
  readonly input?: readonly string[];
  readonly dimensions?: number;
  readonly stream?: boolean;
  readonly echo?: boolean;
  readonly logprobs?: boolean | number;
  readonly top_logprobs?: number;
  readonly [key: string]: unknown;
}

export interface SentRequest {
  readonly path: string;
  readonly body: SentBody;
  readonly authorization: string | undefined;
}

export interface Draft {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** The answer whole, or as pieces of a stream. */
  readonly whole?: unknown;
  readonly pieces?: readonly unknown[] | undefined;
  /** How each piece is written; default: as servers mostly do. */
  readonly writePiece?: (piece: unknown) => string;
  /** Behind the pieces; default: the line [DONE]. */
  readonly last?: string;
  /** What goes over the wire instead, in so many writes. */
  readonly raw?: readonly (string | Buffer)[] | AsyncIterable<string | Buffer> | undefined;
  /** The connection stays open, or is cut, behind what is sent. */
  readonly after?: 'hold' | 'cut';
}

/** Changes a draft, or leaves it as it is. */
export type Oddity = (
  draft: Draft,
  about: { readonly request: SentRequest; readonly probe: boolean; readonly number: number },
) => Draft | null | undefined;

const writePiece = (piece: unknown) => `data: ${JSON.stringify(piece)}\n\n`;

/** The text of a draft, as it would be sent. */
export function textOf({ raw, pieces, whole, writePiece: write = writePiece, last }: Draft): string {
  if (raw !== undefined && Symbol.iterator in raw) return [...raw].map(String).join('');
  if (pieces === undefined) return JSON.stringify(whole);
  return `${pieces.map(write).join('')}${last ?? 'data: [DONE]\n\n'}`;
}

export async function sendDraft(draft: Draft, response: ServerResponse): Promise<void> {
  const { status, headers = {}, pieces, raw, after } = draft;
  const type = pieces === undefined ? 'application/json' : 'text/event-stream';
  response.writeHead(status, { 'content-type': type, ...headers });
  const closed = once(response, 'close');
  const parts = raw ?? [textOf(draft)];
  for await (const part of parts) {
    if (response.destroyed) return;
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
    // So that it is a piece of its own on the other side.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (after === 'hold') return;
  if (after === 'cut') response.destroy();
  else response.end();
}
