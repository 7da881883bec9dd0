/** What of a model's text is its answer: no thoughts, and no turns that it went on to make up. */

const TAG = 'think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis';
/** Tags of the same meaning in several families of models; a slash or "end" closes. */
export const THINK_TAG = new RegExp(
  `<(?<close>/?)(?:\\w{1,20}:)?(?:${TAG})>|\\[(?<close2>/?)think\\]|◁(?<close3>/?)think▷|<\\|(?:begin|(?<close4>end))_of_thought\\|>`,
  'giu',
);
/** The answer of a model that writes in channels stands behind the last of these. */
export const FINAL_CHANNEL = '<|channel|>final<|message|>';

/** Is a match of {@link THINK_TAG}, by its groups, a closing one? */
export function closesThought(groups: Readonly<Record<string, string | undefined>>): boolean {
  const { close, close2, close3, close4 } = groups;
  return [close, close2, close3].includes('/') || close4 !== undefined;
}

export interface Visible {
  readonly text: string;
  /** The text ends in a thought. */
  readonly unfinished: boolean;
}

/**
 * The text without its think blocks. What stands in front of a closing tag that nothing opened is a thought as well:
 * some chat templates put the opening tag into the prompt. Blocks do not nest: a tag inside a thought is talked about.
 */
export function withoutThoughts(whole: string): Visible {
  const channel = whole.lastIndexOf(FINAL_CHANNEL);
  const text = channel === -1 ? whole : whole.slice(channel + FINAL_CHANNEL.length);
  let kept: string[] = [];
  let from = 0;
  let thinking = false;
  for (const { 0: tag, index, groups = {} } of text.matchAll(THINK_TAG)) {
    const closes = closesThought(groups);
    if (!closes && !thinking) kept.push(text.slice(from, index));
    if (closes && !thinking) kept = [];
    thinking = !closes;
    from = index + tag.length;
  }
  if (!thinking) kept.push(text.slice(from));
  return { text: kept.join('\n'), unfinished: thinking };
}

export const END_OF_TURN =
  /<\|(?:im_end|im_start|eot_id|eom_id|end|return|endoftext|end_of_text)\|>|<\/s>|<(?:end|start)_of_turn>/giu;
const NEXT_QUESTION = /\n ?(?:question|q|human|user|problem)(?: ?\d{1,4})? ?:/iu;

/** The text up to the first sign that another turn begins, or null where there is none. Takes plain text. */
export function firstTurn(plain: string): string | null {
  const at = plain.search(NEXT_QUESTION);
  return at === -1 ? null : plain.slice(0, at);
}

/** The text up to the first token that ends a turn, if anything stands there; without these tokens otherwise. */
export function withinTurn(text: string): string {
  const pieces = text.split(END_OF_TURN);
  return pieces.find((piece) => piece.trim() !== '') ?? '';
}
