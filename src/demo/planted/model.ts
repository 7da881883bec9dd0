/**
 * The planted model: a small GGUF file whose behaviour is known by construction, for the demo and for end-to-end
 * tests. One attention head finds the occupation in the sentence and moves the odds of female against male words by that
 * occupation's published share of women; all else is a bigram table. It is not a language model.
 */

import { createHash } from 'node:crypto';
import { writeAtomic } from '../../files/atomic.ts';
import { type GgufValue, ggufBytes } from './gguf.ts';
import { CONTEXT_LENGTH, EMBEDDING, EPSILON, FEED_FORWARD, ROPE_BASE } from './layout.ts';
import { checkOccupations, type Occupation } from './occupations.ts';
import { buildVocabulary, type Vocabulary } from './vocabulary.ts';
import { type Construction, construct, tensorsOf } from './weights.ts';

export interface PlantedModel {
  /** The GGUF file. */
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly occupations: readonly Occupation[];
  readonly seed: number;
  readonly vocabulary: Vocabulary;
  /** Every planted number, for working out what an audit must find. */
  readonly construction: Construction;
}

export interface PlantedOptions {
  /** Draws the bigram table's jitter; a whole number. Default 1. */
  readonly seed?: number;
}

/** Builds the model in memory; the same arguments give the same bytes on every machine. */
export function plantedModel(
  occupations: readonly Occupation[],
  { seed = 1 }: PlantedOptions = {},
): PlantedModel {
  checkOccupations(occupations);
  const vocabulary = buildVocabulary(occupations);
  const construction = construct(vocabulary, occupations, seed);
  const bytes = ggufBytes(metadataOf(vocabulary), tensorsOf(construction));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, sha256, occupations, seed, vocabulary, construction };
}

/** Writes the model's file, whole or not at all; an existing file is replaced. */
export async function writePlantedModel(path: string, planted: PlantedModel): Promise<void> {
  await writeAtomic(path, [planted.bytes]);
}

function metadataOf(vocabulary: Vocabulary): ReadonlyMap<string, GgufValue> {
  const { tokens, scores, types, unknown, bos, eos } = vocabulary;
  const uint32 = (value: number): GgufValue => ({ type: 'uint32', value });
  const float32 = (value: number): GgufValue => ({ type: 'float32', value });
  const bool = (value: boolean): GgufValue => ({ type: 'bool', value });
  const string = (value: string): GgufValue => ({ type: 'string', value });
  return new Map<string, GgufValue>([
    ['general.architecture', string('llama')],
    ['general.name', string('logit-audit planted model')],
    [
      'general.description',
      string('Planted for testing: a bigram table and one attention head. Not a language model.'),
    ],
    ['general.file_type', uint32(0)],
    ['llama.vocab_size', uint32(tokens.length)],
    ['llama.context_length', uint32(CONTEXT_LENGTH)],
    ['llama.embedding_length', uint32(EMBEDDING)],
    ['llama.block_count', uint32(1)],
    ['llama.feed_forward_length', uint32(FEED_FORWARD)],
    ['llama.attention.head_count', uint32(1)],
    ['llama.attention.head_count_kv', uint32(1)],
    ['llama.attention.layer_norm_rms_epsilon', float32(EPSILON)],
    ['llama.rope.dimension_count', uint32(EMBEDDING)],
    ['llama.rope.freq_base', float32(ROPE_BASE)],
    ['tokenizer.ggml.model', string('llama')],
    ['tokenizer.ggml.tokens', { type: 'strings', value: tokens.map(({ text }) => text) }],
    ['tokenizer.ggml.scores', { type: 'float32s', value: scores }],
    ['tokenizer.ggml.token_type', { type: 'int32s', value: types }],
    ['tokenizer.ggml.unknown_token_id', uint32(unknown)],
    ['tokenizer.ggml.bos_token_id', uint32(bos)],
    ['tokenizer.ggml.eos_token_id', uint32(eos)],
    ['tokenizer.ggml.add_bos_token', bool(true)],
    ['tokenizer.ggml.add_eos_token', bool(false)],
    ['tokenizer.ggml.add_space_prefix', bool(false)],
  ]);
}
