/** LoRA as it is defined: W + scale * alpha / rank * B A, merged in float64 into a model's tensors. */
import type { ForwardModel, Weight } from './forward.ts';

/** The two factors of a change to one weight. */
export interface LoraPair {
  readonly weight: string;
  readonly rank: number;
  /** rank x columns of the weight, row-major. */
  readonly a: Float32Array;
  /** rows of the weight x rank, row-major. */
  readonly b: Float32Array;
}

/** The model with the change, `factor` being scale * alpha / rank. */
export function mergeLora(model: ForwardModel, pairs: readonly LoraPair[], factor: number): ForwardModel {
  const tensors = new Map(model.tensors);
  for (const { weight, rank, a, b } of pairs) {
    const tensor = tensors.get(weight);
    if (tensor === undefined) throw new Error(`tensor ${weight} is missing`);
    tensors.set(weight, { ...tensor, data: merged(tensor, rank, a, b, factor) });
  }
  return { ...model, tensors };
}

function merged(
  { shape, data }: Weight,
  rank: number,
  a: Float32Array,
  b: Float32Array,
  factor: number,
): Float64Array {
  const [columns, rows] = [shape[0]!, shape[1]!];
  const out = Float64Array.from(data);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      let change = 0;
      for (let r = 0; r < rank; r++) change += b[row * rank + r]! * a[r * columns + column]!;
      out[row * columns + column]! += factor * change;
    }
  return out;
}
