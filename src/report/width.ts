/** How many columns text takes on a terminal: two for wide characters and emoji, none for marks that combine. */

/** East Asian Wide and Fullwidth, Unicode 15, in ranges that leave out what is not assigned. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]/u;
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Emoji}\uFE0F\u20E3|\p{RI}\p{RI}/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const PLAIN = /^[\x20-\x7E]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += segmentWidth(segment);
  return width;
}

/** `text` cut to `columns`, an ellipsis included, between characters as people see them. */
export function cutToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let cut = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += segmentWidth(segment);
    if (width > columns) break;
    cut += segment;
  }
  return `${cut}…`;
}

function segmentWidth(segment: string): number {
  if (EMOJI.test(segment)) return 2;
  let width = 0;
  for (const character of segment) {
    if (!NO_WIDTH.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
