/**
 * Markup brought down to few forms, so that the rules have little to know: a letter that is set apart by emphasis,
 * quotes or brackets stands in round brackets, "(B)"; runs of spaces are one space; apostrophes are straight.
 */

const OPEN = String.raw`(?:\*{1,3}|_{1,3}|\x60{1,3}|["'\[{$<(（【「])`;
const CLOSE = String.raw`(?:\*{1,3}|_{1,3}|\x60{1,3}|["'\]}$>)）】」])`;
/** Two layers at most: "**(B)**", "["B"]". */
const SET_APART = new RegExp(
  String.raw`(?<![\p{L}\p{N}*_\x60])(?<open>${OPEN}{1,3}) ?(?<letter>[A-Za-z]) ?(?<mark>[.:]?)(?<close>${CLOSE}{1,3})(?![\p{L}\p{N}])`,
  'gu',
);
/** In single quotation marks, which are apostrophes elsewhere. */
const SPEECH = /(?<![\p{L}\p{N}'])'(?<inside>(?:[^'\n]|'(?=\p{L})){2,300})'(?![\p{L}\p{N}])/gu;
const LAYER = /\*+|_+|\x60+|./gu;
const TEXT_COMMAND =
  /\\(?:text|textbf|textit|mathrm|mathbf|mathsf|mathit|rm|bf) ?\{(?<inside>[^{}]{0,200})\}/gu;

/** Full-width, mathematical and circled letters and signs; other characters may grow eighteenfold in plain form. */
const OTHER_FORMS = /[\uff01-\uff5e\u2100-\u214f\u249c-\u24e9\u{1d400}-\u{1d7ff}\u{1f110}-\u{1f149}]/gu;
/** White on black, 🅐 and 🅰: they have no plain form of their own. */
const ON_BLACK = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]\ufe0f?/gu;
/** Ticks and crosses, in a checklist as well; an empty box is no tick. */
const TICKS = /[✓✔✅☑🗸🗹]\ufe0f?|\[[xX]\](?<=^ ?(?:[-*•] ?)?\[[xX]\])(?= ?\S)/gmu;
const CROSSES = /[✗✘❌✖☒☐⬜🗙🗷]\ufe0f?|\[ \](?<=^ ?(?:[-*•] ?)?\[ \])(?= ?\S)/gmu;
const EMPHASIS = /<(?<tag>b|i|u|em|strong|mark|code|span|p|h[1-6])>(?<inside>[^<>\n]{1,200})<\/\k<tag>>/gu;

export function plainText(text: string): string {
  return text
    .replace(OTHER_FORMS, (character) => character.normalize('NFKC'))
    .replace(ON_BLACK, (character) => String.fromCharCode(65 + ((character.codePointAt(0)! - 0x1f150) % 32)))
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]+/gu, '')
    .replace(/[‘’ʼ]/gu, "'")
    .replace(/[“”«»„]/gu, '"')
    .replace(/\r\n?/gu, '\n')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n[\n ]*/gu, '\n')
    .replace(TICKS, '✓')
    .replace(CROSSES, '✗')
    .replace(EMPHASIS, '$<inside>')
    .replace(SPEECH, '"$<inside>"')
    .replace(TEXT_COMMAND, '$<inside>')
    .replace(SET_APART, setApart)
    .replace(/[*\x60]+/gu, '')
    .trim();
}

/** Marks that close more than what opened here stay: '"... is (B)"'. */
function setApart(...match: unknown[]): string {
  const { open, letter, mark, close } = match.at(-1) as Record<'open' | 'letter' | 'mark' | 'close', string>;
  const layers = (marks: string) => marks.match(LAYER) ?? [];
  return `(${letter})${mark}${layers(close).slice(layers(open).length).join('')}`;
}
