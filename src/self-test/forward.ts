/**
 * What the test model must compute: one llama block in float64. With `rounding`, activations are rounded in front of each
 * product as kernels of the weight type round them; the difference that makes is the type's own error, and the measure
 * of what an engine may be off.
 */
import { fromBrain, fromHalf, toBrain, toHalf } from '../files/half.ts';
import { EMBEDDING, EPSILON, HEADS, type Matrix, ROPE_BASE, VOCABULARY } from './model.ts';
import type { ActivationRounding } from './weight-types.ts';

const HEAD = EMBEDDING / HEADS;

type Vector = Float64Array<ArrayBuffer>;

/** ln p of every token after each of these, tokens x VOCABULARY, row-major. */
export function logProbabilities(
  weights: ReadonlyMap<string, Matrix>,
  ids: readonly number[],
  rounding: ActivationRounding,
): Vector {
  const weight = (name: string): Matrix => {
    const found = weights.get(name);
    if (found === undefined) throw new Error(`the test model lacks ${name}`);
    return found;
  };
  const times = (name: string, x: Vector) => product(weight(`${name}.weight`), rounded(x, rounding));
  const normed = (name: string, x: Vector) => norm(x, weight(`${name}.weight`).values);

  const embedding = weight('token_embd.weight').values;
  let states = ids.map((id) => embedding.slice(id * EMBEDDING, (id + 1) * EMBEDDING));
  const inputs = states.map((x) => normed('blk.0.attn_norm', x));
  const queries = inputs.map((x, t) => rotated(times('blk.0.attn_q', x), t));
  const keys = inputs.map((x, t) => rotated(times('blk.0.attn_k', x), t));
  const values = inputs.map((x) => times('blk.0.attn_v', x));
  states = states.map((x, t) => plus(x, times('blk.0.attn_output', attended(queries[t]!, keys, values, t))));
  states = states.map((x) => {
    const input = normed('blk.0.ffn_norm', x);
    const up = times('blk.0.ffn_up', input);
    const hidden = times('blk.0.ffn_gate', input).map((g, i) => (g / (1 + Math.exp(-g))) * up[i]!);
    return plus(x, times('blk.0.ffn_down', hidden));
  });
  const out = new Float64Array(ids.length * VOCABULARY);
  for (const [t, x] of states.entries()) {
    const logits = times('output', normed('output_norm', x));
    const highest = logits.reduce((a, b) => Math.max(a, b));
    const total = highest + Math.log(logits.reduce((sum, z) => sum + Math.exp(z - highest), 0));
    for (const [id, z] of logits.entries()) out[t * VOCABULARY + id] = z - total;
  }
  return out;
}

function product({ rows, columns, values }: Matrix, x: Vector): Vector {
  const out = new Float64Array(rows);
  for (let row = 0, at = 0; row < rows; row++) {
    let dot = 0;
    for (let column = 0; column < columns; column++, at++) dot += values[at]! * x[column]!;
    out[row] = dot;
  }
  return out;
}

function plus(a: Vector, b: Vector): Vector {
  return a.map((value, i) => value + b[i]!);
}

function norm(x: Vector, gain: Float64Array): Vector {
  const square = x.reduce((sum, v) => sum + v * v, 0) / x.length;
  const scale = 1 / Math.sqrt(square + EPSILON);
  return x.map((v, i) => v * scale * gain[i]!);
}

/** Turns each pair (2i, 2i + 1) of each head by position * base^(-2i / length of a head). */
function rotated(x: Vector, position: number): Vector {
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 2) {
    const angle = position * ROPE_BASE ** (-(i % HEAD) / HEAD);
    out[i] = x[i]! * Math.cos(angle) - x[i + 1]! * Math.sin(angle);
    out[i + 1] = x[i]! * Math.sin(angle) + x[i + 1]! * Math.cos(angle);
  }
  return out;
}

/** What each head reads at a position: values weighed by softmax of query times key. */
function attended(
  query: Vector,
  keys: readonly Vector[],
  values: readonly Vector[],
  position: number,
): Vector {
  const out = new Float64Array(EMBEDDING);
  for (let head = 0; head < EMBEDDING; head += HEAD) {
    const scores = new Float64Array(position + 1);
    for (let s = 0; s <= position; s++) {
      for (let i = head; i < head + HEAD; i++) scores[s]! += query[i]! * keys[s]![i]!;
      scores[s]! /= Math.sqrt(HEAD);
    }
    const highest = scores.reduce((a, b) => Math.max(a, b));
    const raised = scores.map((score) => Math.exp(score - highest));
    const total = raised.reduce((a, b) => a + b);
    for (let s = 0; s <= position; s++) {
      for (let i = head; i < head + HEAD; i++) out[i]! += (raised[s]! / total) * values[s]![i]!;
    }
  }
  return out;
}

function rounded(x: Vector, rounding: ActivationRounding): Vector {
  if (rounding === 'none') return x;
  if (rounding === 'half') return x.map((v) => fromHalf(toHalf(v)));
  if (rounding === 'brain') return x.map((v) => fromBrain(toBrain(v)));
  const out = new Float64Array(x.length);
  for (let from = 0; from < x.length; from += rounding) {
    const block = x.subarray(from, from + rounding);
    const step = block.reduce((most, v) => Math.max(most, Math.abs(v)), 0) / 127;
    if (step > 0)
      out.set(
        block.map((v) => Math.round(v / step) * step),
        from,
      );
  }
  return out;
}
