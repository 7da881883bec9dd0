/** What a LoRA adapter is, out of its header. Whether it fits a model is for the engine to say when it opens both. */
import { readHeader } from './header.ts';
import { invalid, metadataOf } from './metadata.ts';

export interface AdapterSummary {
  readonly path: string;
  readonly bytes: number;
  readonly architecture: string | null;
  readonly name: string | null;
  /** What it adds to a weight is scale * alpha / rank * B A. */
  readonly alpha: number | null;
  /** Least and most of its pairs, mostly the same. */
  readonly rank: { readonly least: number; readonly most: number };
  /** Weights of the model that it changes. */
  readonly weights: number;
  readonly parameters: number;
}

/** Throws as `summarizeGguf` does; `model_invalid` for what is no LoRA adapter. */
export async function summarizeAdapter(path: string): Promise<AdapterSummary> {
  const header = await readHeader(path);
  const read = metadataOf(header);
  const type = read.text('general.type') === 'adapter' ? read.text('adapter.type') : null;
  if (type !== 'lora') throw invalid(path, 'it is no LoRA adapter (keys general.type and adapter.type)');
  const halves = header.tensors.filter(({ name }) => name.endsWith('.lora_b'));
  if (halves.length === 0) throw invalid(path, 'it holds no tensors of a LoRA adapter');
  const ranks = halves.map(({ shape }) => shape[0] ?? 0);
  return {
    path,
    bytes: header.fileBytes,
    architecture: read.text('general.architecture'),
    name: read.text('general.name'),
    alpha: read.number('adapter.lora.alpha'),
    rank: {
      least: ranks.reduce((least, rank) => Math.min(least, rank)),
      most: ranks.reduce((most, rank) => Math.max(most, rank)),
    },
    weights: halves.length,
    parameters: header.tensors.reduce((sum, { values }) => sum + values, 0),
  };
}
