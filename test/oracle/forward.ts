/**
 * The oracle's llama: one generic forward pass in float64 over a GGUF's float32 tensors. Embedding; per layer RMSNorm,
 * rotary attention (neighbours (2i, 2i+1) are a pair; grouped keys and values), residual, RMSNorm, SwiGLU, residual;
 * last RMSNorm; output. Slow and plain on purpose.
 */

import type { OracleGguf } from './gguf.ts';

/** A weight: float32 as a file holds it, or float64 where something was merged into it. */
export interface Weight {
  /** Sizes, innermost first. */
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array;
}

/** What of a model its forward pass needs. */
export interface ForwardModel {
  readonly metadata: OracleGguf['metadata'];
  readonly tensors: ReadonlyMap<string, Weight>;
}

export interface ForwardResult {
  /** V logits of the token after the last. */
  readonly logits: Float64Array;
  /** Attention weights of the last position: [layer][head][position], each row summing to 1. */
  readonly attention: readonly (readonly Float64Array[])[];
}

export class OracleLlama {
  readonly #gguf: ForwardModel;
  readonly #layers: number;
  readonly #heads: number;
  readonly #headsKv: number;
  readonly #headSize: number;
  readonly #epsilon: number;
  readonly #ropeBase: number;

  constructor(gguf: ForwardModel) {
    this.#gguf = gguf;
    const key = (name: string, fallback?: number): number => {
      const value = gguf.metadata.get(`llama.${name}`) ?? fallback;
      if (typeof value !== 'number') throw new Error(`llama.${name} is missing`);
      return value;
    };
    this.#layers = key('block_count');
    this.#heads = key('attention.head_count');
    this.#headsKv = key('attention.head_count_kv', this.#heads);
    this.#headSize = key('embedding_length') / this.#heads;
    if (key('rope.dimension_count', this.#headSize) !== this.#headSize)
      throw new Error('partial rotation is not known here');
    this.#epsilon = key('attention.layer_norm_rms_epsilon');
    this.#ropeBase = key('rope.freq_base', 10000);
  }

  /** Runs the tokens, BOS included, at positions 0, 1, ... */
  forward(tokens: readonly number[]): ForwardResult {
    const { states, attention } = this.#run(tokens);
    return { logits: this.#logits(states.at(-1)!), attention };
  }

  /** The V logits of the token after each. */
  forwardAll(tokens: readonly number[]): Float64Array[] {
    return this.#run(tokens).states.map((state) => this.#logits(state));
  }

  #logits(state: Float64Array): Float64Array {
    const output = this.#gguf.tensors.get('output.weight') ?? this.#tensor('token_embd.weight');
    return times(output, this.#norm(state, 'output_norm.weight'));
  }

  #run(tokens: readonly number[]): { states: Float64Array[]; attention: Float64Array[][] } {
    const embedding = this.#tensor('token_embd.weight');
    const width = embedding.shape[0]!;
    let states: Float64Array[] = tokens.map((token) =>
      Float64Array.from(embedding.data.subarray(token * width, (token + 1) * width)),
    );
    const attention: Float64Array[][] = [];
    for (let layer = 0; layer < this.#layers; layer++) {
      const normed = states.map((x) => this.#norm(x, `blk.${layer}.attn_norm.weight`));
      const { outputs, lastWeights } = this.#attend(normed, layer);
      attention.push(lastWeights);
      states = states.map((x, t) => plus(x, outputs[t]!));
      states = states.map((x) => plus(x, this.#feedForward(x, layer)));
    }
    return { states, attention };
  }

  #attend(
    inputs: readonly Float64Array[],
    layer: number,
  ): { outputs: Float64Array[]; lastWeights: Float64Array[] } {
    const size = this.#headSize;
    const project = (name: string, x: Float64Array): Float64Array =>
      times(this.#tensor(`blk.${layer}.attn_${name}.weight`), x);
    const queries = inputs.map((x, t) => this.#rotate(project('q', x), t));
    const keys = inputs.map((x, t) => this.#rotate(project('k', x), t));
    const values = inputs.map((x) => project('v', x));
    const sharing = this.#heads / this.#headsKv;
    let lastWeights: Float64Array[] = [];
    const outputs = queries.map((query, t) => {
      const joined = new Float64Array(this.#heads * size);
      const perHead: Float64Array[] = [];
      for (let head = 0; head < this.#heads; head++) {
        const q = head * size;
        const kv = Math.floor(head / sharing) * size;
        const scores = Float64Array.from({ length: t + 1 }, (_, s) => {
          let dot = 0;
          for (let i = 0; i < size; i++) dot += query[q + i]! * keys[s]![kv + i]!;
          return dot / Math.sqrt(size);
        });
        const highest = Math.max(...scores);
        const raised = scores.map((score) => Math.exp(score - highest));
        const total = raised.reduce((a, b) => a + b, 0);
        const weights = raised.map((weight) => weight / total);
        perHead.push(weights);
        for (let s = 0; s <= t; s++)
          for (let i = 0; i < size; i++) joined[q + i]! += weights[s]! * values[s]![kv + i]!;
      }
      lastWeights = perHead;
      return project('output', joined);
    });
    return { outputs, lastWeights };
  }

  #feedForward(x: Float64Array, layer: number): Float64Array {
    const normed = this.#norm(x, `blk.${layer}.ffn_norm.weight`);
    const gate = times(this.#tensor(`blk.${layer}.ffn_gate.weight`), normed);
    const up = times(this.#tensor(`blk.${layer}.ffn_up.weight`), normed);
    const hidden = gate.map((g, i) => (g / (1 + Math.exp(-g))) * up[i]!);
    return times(this.#tensor(`blk.${layer}.ffn_down.weight`), hidden);
  }

  /** Turns pair (2i, 2i+1) of every head by position * base^(-2i / size). */
  #rotate(x: Float64Array, position: number): Float64Array {
    const size = this.#headSize;
    const turned = new Float64Array(x.length);
    for (let i = 0; i < x.length; i += 2) {
      const angle = position * this.#ropeBase ** (-(i % size) / size);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      turned[i] = x[i]! * cos - x[i + 1]! * sin;
      turned[i + 1] = x[i]! * sin + x[i + 1]! * cos;
    }
    return turned;
  }

  #norm(x: Float64Array, name: string): Float64Array {
    const { data } = this.#tensor(name);
    const meanSquare = x.reduce((sum, v) => sum + v * v, 0) / x.length;
    const scale = 1 / Math.sqrt(meanSquare + this.#epsilon);
    return x.map((v, i) => v * scale * data[i]!);
  }

  #tensor(name: string): Weight {
    const tensor = this.#gguf.tensors.get(name);
    if (tensor === undefined) throw new Error(`tensor ${name} is missing`);
    return tensor;
  }
}

/** A weight of shape [in, out] applied to a vector of length in. */
function times({ shape, data }: Weight, x: Float64Array): Float64Array {
  const [columns, rows] = [shape[0]!, shape[1]!];
  if (columns !== x.length) throw new Error(`a weight for ${columns} numbers was given ${x.length}`);
  const out = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let dot = 0;
    for (let column = 0; column < columns; column++) dot += data[row * columns + column]! * x[column]!;
    out[row] = dot;
  }
  return out;
}

function plus(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from(a, (v, i) => v + b[i]!);
}
