/** The same pieces as each family of tokenizers stores them in a GGUF file. */
import type { GgufValue } from '../../src/demo/planted/gguf.ts';
import { CHARACTERS, MERGED, SPACE } from './pieces.ts';

/** Token types of the file format. */
const NORMAL = 1;
const UNKNOWN = 2;
const CONTROL = 3;
const BYTE = 6;

export const BOS = '<s>';
export const EOS = '</s>';
export const TURN = '<|im_start|>';
export const END_OF_TURN = '<|im_end|>';
/** Texts that are one token each where special tokens are read as such, and plain text elsewhere. */
export const CONTROLS = [BOS, EOS, TURN, END_OF_TURN] as const;

export interface Vocabulary {
  /** Texts as stored, by id. */
  readonly tokens: readonly string[];
  /** `tokenizer.*` keys of the file. */
  readonly metadata: ReadonlyMap<string, GgufValue>;
}

interface Entry {
  readonly text: string;
  readonly type: number;
  readonly score?: number;
}

const byteName = (byte: number) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
const allBytes = Array.from({ length: 256 }, (_, byte) => byte);
const controls = (texts: readonly string[]): Entry[] => texts.map((text) => ({ text, type: CONTROL }));

function vocabulary(
  model: string,
  entries: readonly Entry[],
  more: Readonly<Record<string, GgufValue>> = {},
): Vocabulary {
  const tokens = entries.map(({ text }) => text);
  const keys: Record<string, GgufValue> = {
    model: { type: 'string', value: model },
    tokens: { type: 'strings', value: tokens },
    token_type: { type: 'int32s', value: Int32Array.from(entries, ({ type }) => type) },
    scores: { type: 'float32s', value: Float32Array.from(entries, ({ score = 0 }) => score) },
    bos_token_id: { type: 'uint32', value: tokens.indexOf(BOS) },
    eos_token_id: { type: 'uint32', value: tokens.indexOf(EOS) },
    ...more,
  };
  return {
    tokens,
    metadata: new Map(Object.entries(keys).map(([key, value]) => [`tokenizer.ggml.${key}`, value])),
  };
}

const mergedText = ({ left, right }: { left: string; right: string }) => left + right;

/** SentencePiece with byte-pair scores: the earlier a pair was learnt, the sooner it is merged. */
export function spm(): Vocabulary {
  return vocabulary('llama', [
    { text: '<unk>', type: UNKNOWN },
    ...controls([BOS, EOS]),
    ...allBytes.map((byte) => ({ text: byteName(byte), type: BYTE })),
    ...MERGED.map((merge, rank) => ({ text: mergedText(merge), type: NORMAL, score: -rank })),
    ...CHARACTERS.map((text, index) => ({ text, type: NORMAL, score: -MERGED.length - index })),
    ...controls([TURN, END_OF_TURN]),
  ]);
}

/** The printable character that byte-level vocabularies write each byte with: itself, or the next from U+0100 on. */
const isPrintable = (byte: number) =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
const OTHERS = allBytes.filter((byte) => !isPrintable(byte));
const LETTERS = allBytes.map((byte) =>
  String.fromCodePoint(isPrintable(byte) ? byte : 0x100 + OTHERS.indexOf(byte)),
);

function byteLevel(text: string): string {
  const bytes = new TextEncoder().encode(text.replaceAll(SPACE, ' '));
  return [...bytes].map((byte) => LETTERS[byte]).join('');
}

/** Byte-level pieces that are merged in the order of a list; `pre` names the rule that cuts texts into words. */
export function bpe(pre: 'gpt-2' | 'llama-bpe'): Vocabulary {
  return vocabulary(
    'gpt2',
    [
      ...LETTERS.map((text) => ({ text, type: NORMAL })),
      ...MERGED.map((merge) => ({ text: byteLevel(mergedText(merge)), type: NORMAL })),
      ...controls(CONTROLS),
    ],
    {
      pre: { type: 'string', value: pre },
      merges: {
        type: 'strings',
        value: MERGED.map(({ left, right }) => `${byteLevel(left)} ${byteLevel(right)}`),
      },
    },
  );
}

/** Unigram pieces with log-probabilities: the likeliest way to cut a text wins. */
export function unigram(): Vocabulary {
  const total = MERGED.reduce((sum, { count }) => sum + count, 0);
  return vocabulary(
    't5',
    [
      { text: '<pad>', type: CONTROL },
      { text: EOS, type: CONTROL },
      { text: '<unk>', type: UNKNOWN },
      ...MERGED.map((merge) => ({
        text: mergedText(merge),
        type: NORMAL,
        score: Math.log(merge.count / total),
      })),
      ...CHARACTERS.map((text) => ({ text, type: NORMAL, score: -12 })),
      ...controls([BOS, TURN, END_OF_TURN]),
    ],
    { unknown_token_id: { type: 'uint32', value: 2 } },
  );
}

/** RWKV's list, of which the longest piece that fits is taken, over and over; no BOS. */
export function rwkv(): Vocabulary {
  const bytes = allBytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
  const { tokens, metadata } = vocabulary('rwkv', [
    ...controls([BOS]),
    ...bytes.map((text) => ({ text, type: NORMAL })),
    ...MERGED.map((merge) => ({ text: mergedText(merge).replaceAll(SPACE, ' '), type: NORMAL })),
  ]);
  const without = new Map(metadata);
  for (const key of ['bos', 'eos']) without.delete(`tokenizer.ggml.${key}_token_id`);
  return { tokens, metadata: without };
}
