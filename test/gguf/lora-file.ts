/** LoRA adapters for tests: random pairs for chosen weights of a model, as a GGUF file. */
import { type GgufTensor, type GgufValue, ggufBytes } from '../../src/demo/planted/gguf.ts';
import type { OracleGguf } from '../oracle/gguf.ts';
import type { LoraPair } from '../oracle/lora.ts';

const EMBEDDING = 'token_embd.weight';

/** Numbers in [-size, size), the same for the same seed. */
function numbers(count: number, size: number, seed: number): Float32Array {
  let state = (seed * 2654435761 + 1) >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * size;
  });
}

/** Random factors for weights of a model; `size` is the largest of their numbers. */
export function randomPairs(
  model: OracleGguf,
  weights: readonly string[],
  { rank, size, seed }: { rank: number; size: number; seed: number },
): LoraPair[] {
  return weights.map((weight, index) => {
    const [columns, rows] = model.tensors.get(weight)!.shape as [number, number];
    const at = seed * 1000 + index * 2;
    const a = numbers(rank * columns, size, at);
    return { weight, rank, a, b: numbers(rows * rank, size, at + 1) };
  });
}

/** Changes of an adapter's keys: another value, or undefined to leave a key out. */
export type KeyChanges = Readonly<Record<string, GgufValue | undefined>>;

/** The bytes of an adapter file. */
export function loraBytes(pairs: readonly LoraPair[], alpha: number, changes: KeyChanges = {}): Uint8Array {
  const keys: Record<string, GgufValue | undefined> = {
    'general.type': { type: 'string', value: 'adapter' },
    'general.architecture': { type: 'string', value: 'llama' },
    'adapter.type': { type: 'string', value: 'lora' },
    'adapter.lora.alpha': { type: 'float32', value: alpha },
    ...changes,
  };
  const entries = Object.entries(keys).filter(
    (entry): entry is [string, GgufValue] => entry[1] !== undefined,
  );
  return ggufBytes(new Map(entries), pairs.flatMap(tensorsOf));
}

function tensorsOf({ weight, rank, a, b }: LoraPair): GgufTensor[] {
  const columns = a.length / rank;
  // Token embeddings are looked up by row, so there A holds what belongs to a token: a row of B of the definition.
  const [first, second] =
    weight === EMBEDDING
      ? [
          { dims: [rank, b.length / rank], data: b },
          { dims: [rank, columns], data: transposed(a, rank, columns) },
        ]
      : [
          { dims: [columns, rank], data: a },
          { dims: [rank, b.length / rank], data: b },
        ];
  return [
    { name: `${weight}.lora_a`, ...first },
    { name: `${weight}.lora_b`, ...second },
  ];
}

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from(
    values,
    (_, index) => values[(index % rows) * columns + Math.floor(index / rows)]!,
  );
}
