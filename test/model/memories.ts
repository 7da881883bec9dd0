/**
 * Small models whose memory is no plain cache, with drawn weights: one of a recurrent state, which cannot be cut at a
 * token, and one of which every other layer sees a few tokens back and no further.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GgufTensor, type GgufValue, ggufBytes } from '../../src/demo/planted/gguf.ts';
import { spm } from '../families/vocabularies.ts';

const folder = mkdtempSync(join(tmpdir(), 'logit-audit-memories-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const EMBEDDING = 32;
const CONTEXT = 256;
/** Tokens that a layer with a window sees back. */
export const WINDOW = 16;

type Draw = () => number;

/** Uniform in [-1, 1), the same everywhere. */
function drawer(): Draw {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const uint32 = (value: number): GgufValue => ({ type: 'uint32', value });
const float32 = (value: number): GgufValue => ({ type: 'float32', value });

function tensor(name: string, dims: readonly number[], value: Draw): GgufTensor {
  const size = dims.reduce((product, dim) => product * dim, 1);
  return { name, dims, data: Float32Array.from({ length: size }, value) };
}

/** What every architecture has, its own keys and tensors, and a vocabulary. */
function write(
  name: string,
  keys: Readonly<Record<string, GgufValue>>,
  layers: number,
  layerOf: (
    layer: string,
    matrix: (name: string, columns: number, rows: number) => GgufTensor,
  ) => GgufTensor[],
): string {
  const { tokens, metadata } = spm();
  const draw = drawer();
  const own = {
    context_length: uint32(CONTEXT),
    embedding_length: uint32(EMBEDDING),
    block_count: uint32(layers),
  };
  const all = new Map<string, GgufValue>([
    ['general.architecture', { type: 'string', value: name }],
    ...Object.entries({ ...own, ...keys }).map(([key, value]) => [`${name}.${key}`, value] as const),
    ...metadata,
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: true }],
  ]);
  const matrix = (label: string, columns: number, rows: number, gain = 2) =>
    tensor(label, [columns, rows], () => draw() * gain * Math.sqrt(3 / columns));
  const tensors = [
    matrix('token_embd.weight', EMBEDDING, tokens.length, Math.sqrt(EMBEDDING)),
    tensor('output_norm.weight', [EMBEDDING], () => 1 + draw() / 4),
    ...Array.from({ length: layers }, (_, layer) => layerOf(`blk.${layer}.`, matrix)).flat(),
  ];
  const path = join(folder, `${name}.gguf`);
  writeFileSync(path, ggufBytes(all, tensors));
  return path;
}

/** A Mamba of two layers; gives its path. */
export function recurrentModel(): string {
  const [inner, state, conv, rank] = [2 * EMBEDDING, 8, 4, 4];
  const draw = drawer();
  return write(
    'mamba',
    {
      'ssm.conv_kernel': uint32(conv),
      'ssm.inner_size': uint32(inner),
      'ssm.state_size': uint32(state),
      'ssm.time_step_rank': uint32(rank),
      'attention.layer_norm_rms_epsilon': float32(1e-5),
    },
    2,
    (layer, matrix) => [
      tensor(`${layer}attn_norm.weight`, [EMBEDDING], () => 1 + draw() / 4),
      matrix(`${layer}ssm_in.weight`, EMBEDDING, 2 * inner),
      matrix(`${layer}ssm_conv1d.weight`, conv, inner),
      tensor(`${layer}ssm_conv1d.bias`, [inner], draw),
      matrix(`${layer}ssm_x.weight`, inner, rank + 2 * state),
      matrix(`${layer}ssm_dt.weight`, rank, inner),
      tensor(`${layer}ssm_dt.bias`, [inner], draw),
      // Negative: a state that fades.
      tensor(`${layer}ssm_a`, [state, inner], () => -1 + draw() / 2),
      tensor(`${layer}ssm_d`, [inner], () => 1 + draw() / 4),
      matrix(`${layer}ssm_out.weight`, inner, EMBEDDING),
    ],
  );
}

/** A Command-R 2 of two layers, the first with a window; gives its path. */
export function windowModel(): string {
  const [heads, headsKv, feedForward] = [4, 2, 48];
  const kv = (EMBEDDING / heads) * headsKv;
  const draw = drawer();
  return write(
    'cohere2',
    {
      feed_forward_length: uint32(feedForward),
      'attention.head_count': uint32(heads),
      'attention.head_count_kv': uint32(headsKv),
      'attention.layer_norm_epsilon': float32(1e-5),
      'attention.sliding_window': uint32(WINDOW),
      'attention.sliding_window_pattern': uint32(2),
      'rope.dimension_count': uint32(EMBEDDING / heads),
      logit_scale: float32(0.3),
    },
    2,
    (layer, matrix) => [
      tensor(`${layer}attn_norm.weight`, [EMBEDDING], () => 1 + draw() / 4),
      matrix(`${layer}attn_q.weight`, EMBEDDING, EMBEDDING),
      matrix(`${layer}attn_k.weight`, EMBEDDING, kv),
      matrix(`${layer}attn_v.weight`, EMBEDDING, kv),
      matrix(`${layer}attn_output.weight`, EMBEDDING, EMBEDDING),
      matrix(`${layer}ffn_gate.weight`, EMBEDDING, feedForward),
      matrix(`${layer}ffn_up.weight`, EMBEDDING, feedForward),
      matrix(`${layer}ffn_down.weight`, feedForward, EMBEDDING),
    ],
  );
}
