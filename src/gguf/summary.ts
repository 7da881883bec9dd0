/** What a GGUF model is and needs, out of its headers alone: all its parts, none of its weights. */
import { type GgufHeader, type MetadataArray, readHeader, readNumbers, readTexts } from './header.ts';
import { type KvMemory, kvMemory } from './memory.ts';
import { invalid, metadataOf } from './metadata.ts';
import { otherParts } from './parts.ts';
import { CONTROL_TYPES, FILE_TYPES } from './types.ts';

export interface SpecialToken {
  /** As the file calls it: bos, eos, eot, unknown, padding and so on. */
  readonly name: string;
  readonly id: number;
  readonly text: string | null;
}

export interface TensorTypeCount {
  readonly type: string;
  readonly tensors: number;
  readonly parameters: number;
  /** Null for a type that this version does not know. */
  readonly bytes: number | null;
}

/** Sizes in bytes, lengths in tokens; null for what the file does not say. */
export interface GgufSummary {
  readonly path: string;
  /** The files of the model, in order; one unless it is split. */
  readonly parts: readonly { readonly path: string; readonly bytes: number }[];
  readonly ggufVersion: number;
  readonly architecture: string;
  readonly name: string | null;
  readonly licence: string | null;
  readonly parameters: number;
  readonly weightBytes: number | null;
  /** What the file says most of its tensors are; where it does not, the type of most of its parameters. */
  readonly quantisation: string | null;
  /** Every tensor counted, largest share first. */
  readonly tensorTypes: readonly TensorTypeCount[];
  readonly vocabSize: number | null;
  readonly tokenizer: string | null;
  readonly preTokenizer: string | null;
  readonly trainedContextLength: number | null;
  readonly layers: number | null;
  readonly embeddingLength: number | null;
  /** Heads of attention; of layers that differ, the most. */
  readonly heads: number | null;
  readonly specialTokens: readonly SpecialToken[];
  /**
   * Texts that are a token of their own only where special tokens are read as such, as the file types them. llama.cpp
   * adds ends of turns that it knows by name.
   */
  readonly controlTokens: readonly string[] | null;
  /** Does the tokenizer put BOS in front, EOS at the end? Null: by the tokenizer's own rule. */
  readonly addsBos: boolean | null;
  readonly addsEos: boolean | null;
  readonly chatTemplate: string | null;
  readonly kv: KvMemory | null;
  /** One row of float32 logits over the vocabulary. */
  readonly logitsBytesPerRow: number | null;
}

/**
 * Reads what a model is. For a model in parts give the first. Throws as {@link readHeader} does; `file_not_found` names
 * the parts that are missing, `model_invalid` a part that is not the first or not of this model, or a file that is no
 * model.
 */
export async function summarizeGguf(path: string): Promise<GgufSummary> {
  const first = await readHeader(path);
  const read = metadataOf(first);
  if (read.text('general.type') === 'adapter')
    throw invalid(path, 'it is an adapter, not a model; give it as --lora of the model that it was made for');
  const headers = [first, ...(await otherParts(first))];
  const architecture = read.text('general.architecture');
  if (architecture === null)
    throw invalid(path, 'it does not say its architecture (key general.architecture)');
  const tokens = read.array('tokenizer.ggml.tokens');
  const tensorTypes = countTypes(headers);
  const vocabSize = tokens?.length ?? read.number(`${architecture}.vocab_size`);
  const fileType = read.number('general.file_type');
  return {
    path,
    parts: headers.map((header) => ({ path: header.path, bytes: header.fileBytes })),
    ggufVersion: first.version,
    architecture,
    name: read.text('general.name'),
    licence: read.text('general.license'),
    parameters: tensorTypes.reduce((sum, { parameters }) => sum + parameters, 0),
    weightBytes: tensorTypes.reduce<number | null>(
      (sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes),
      0,
    ),
    quantisation:
      fileType === null
        ? (tensorTypes[0]?.type ?? null)
        : (FILE_TYPES.get(fileType) ?? `file type ${fileType}`),
    tensorTypes,
    vocabSize,
    tokenizer: read.text('tokenizer.ggml.model'),
    preTokenizer: read.text('tokenizer.ggml.pre'),
    trainedContextLength: read.number(`${architecture}.context_length`),
    layers: read.number(`${architecture}.block_count`),
    embeddingLength: read.number(`${architecture}.embedding_length`),
    heads: mostOf(read.numbers(`${architecture}.attention.head_count`)),
    specialTokens: await specialTokens(first, tokens),
    controlTokens: await controlTokens(path, tokens, read.array('tokenizer.ggml.token_type')),
    addsBos: read.flag('tokenizer.ggml.add_bos_token'),
    addsEos: read.flag('tokenizer.ggml.add_eos_token'),
    chatTemplate: read.text('tokenizer.chat_template'),
    kv: kvMemory(architecture, read.numbers),
    logitsBytesPerRow: vocabSize === null ? null : vocabSize * 4,
  };
}

function mostOf(setting: number | readonly number[] | null): number | null {
  if (typeof setting === 'number' || setting === null) return setting;
  return setting.length === 0 ? null : Math.max(...setting);
}

function countTypes(headers: readonly GgufHeader[]): TensorTypeCount[] {
  const counts = new Map<string, TensorTypeCount>();
  for (const { type, values, bytes } of headers.flatMap(({ tensors }) => tensors)) {
    const known = counts.get(type) ?? { type, tensors: 0, parameters: 0, bytes: 0 };
    counts.set(type, {
      type,
      tensors: known.tensors + 1,
      parameters: known.parameters + values,
      bytes: known.bytes === null || bytes === null ? null : known.bytes + bytes,
    });
  }
  return [...counts.values()].sort((a, b) => b.parameters - a.parameters);
}

async function specialTokens(
  { path, metadata }: GgufHeader,
  tokens: MetadataArray | null,
): Promise<SpecialToken[]> {
  const found = [...metadata].flatMap(([key, value]) => {
    const name = /^tokenizer\.ggml\.(\w+)_token_id$/.exec(key)?.[1];
    return name !== undefined && typeof value === 'number' ? [{ name, id: value }] : [];
  });
  const ids = found.map(({ id }) => id);
  const texts = tokens?.holdsTexts ? await readTexts(path, tokens, ids) : new Map<number, string>();
  return found.map((token) => ({ ...token, text: texts.get(token.id) ?? null }));
}

async function controlTokens(
  path: string,
  tokens: MetadataArray | null,
  types: MetadataArray | null,
): Promise<string[] | null> {
  if (!tokens?.holdsTexts || types === null || types.length !== tokens.length) return null;
  const ids = (await readNumbers(path, types)).flatMap((type, id) => (CONTROL_TYPES.has(type) ? [id] : []));
  return [...(await readTexts(path, tokens, ids)).values()].filter((text) => text !== '');
}
