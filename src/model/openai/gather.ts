/** An answer that comes as a stream of pieces, put together as it would have come whole. */

interface Piece {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly refusal?: string | null };
    readonly text?: string;
    readonly finish_reason?: string | null;
    readonly stop_reason?: unknown;
    readonly logprobs?: unknown;
  }[];
  readonly usage?: unknown;
  readonly [key: string]: unknown;
}

/** What is said once in a stream stands in some piece of it: the last one that has it counts. */
const HEAD = ['model', 'system_fingerprint', 'service_tier', 'usage'] as const;

/** The raw answer, for the same checks as any other. One that is cut has no `finish_reason`. */
export async function gather(pieces: AsyncIterable<unknown>): Promise<unknown> {
  const head: Record<string, unknown> = {};
  const said = { content: '', refusal: '', text: '' };
  const end: Record<string, unknown> = {};
  for await (const raw of pieces) {
    const piece = raw as Piece;
    for (const key of HEAD) if (piece[key] != null) head[key] = piece[key];
    const choice = piece.choices?.[0];
    if (!choice) continue;
    said.content += choice.delta?.content ?? '';
    said.refusal += choice.delta?.refusal ?? '';
    said.text += choice.text ?? '';
    for (const key of ['finish_reason', 'stop_reason'] as const) {
      if (choice[key] != null) end[key] = choice[key];
    }
    // Lists are asked of one token alone, so that they come in one piece.
    if (choice.logprobs != null) end.logprobs ??= choice.logprobs;
  }
  const { content, refusal, text } = said;
  return { ...head, choices: [{ message: { content, refusal }, text, ...end }] };
}
