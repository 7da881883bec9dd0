/** What a GGUF model is and needs, out of its headers alone: all its parts, none of its weights. */
import { basename, dirname, join } from 'node:path';
import { AuditError } from '../errors.ts';
import {
  type GgufHeader,
  type MetadataArray,
  readHeader,
  readNumbers,
  readTexts,
  type Scalar,
} from './header.ts';
import { type KvMemory, kvMemory } from './memory.ts';
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
  /** What the file says most of its tensors are. */
  readonly quantisation: string | null;
  /** Every tensor counted, largest share first. */
  readonly tensorTypes: readonly TensorTypeCount[];
  readonly vocabSize: number | null;
  readonly tokenizer: string | null;
  readonly preTokenizer: string | null;
  readonly trainedContextLength: number | null;
  readonly layers: number | null;
  readonly embeddingLength: number | null;
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

const PART_NAME = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/;
const MAX_PARTS = 1000;

/**
 * Reads what a model is. For a model in parts give the first. Throws as {@link readHeader} does; `file_not_found` names
 * the parts that are missing, `model_invalid` a part that is not the first, or a file that is no model.
 */
export async function summarizeGguf(path: string): Promise<GgufSummary> {
  const first = await readHeader(path);
  const headers = [first, ...(await otherParts(first))];
  const read = reader(first);
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
    quantisation: fileType === null ? null : (FILE_TYPES.get(fileType) ?? `file type ${fileType}`),
    tensorTypes,
    vocabSize,
    tokenizer: read.text('tokenizer.ggml.model'),
    preTokenizer: read.text('tokenizer.ggml.pre'),
    trainedContextLength: read.number(`${architecture}.context_length`),
    layers: read.number(`${architecture}.block_count`),
    embeddingLength: read.number(`${architecture}.embedding_length`),
    heads: read.number(`${architecture}.attention.head_count`),
    specialTokens: await specialTokens(first, tokens),
    controlTokens: await controlTokens(path, tokens, read.array('tokenizer.ggml.token_type')),
    addsBos: read.flag('tokenizer.ggml.add_bos_token'),
    addsEos: read.flag('tokenizer.ggml.add_eos_token'),
    chatTemplate: read.text('tokenizer.chat_template'),
    kv: kvMemory(architecture, read.numbers),
    logitsBytesPerRow: vocabSize === null ? null : vocabSize * 4,
  };
}

/** Metadata by type: a key that is absent, or of another type, is null. */
function reader({ metadata }: GgufHeader) {
  const scalar = (value: Scalar | MetadataArray | undefined) =>
    typeof value === 'object' ? undefined : value;
  const number = (value: Scalar | undefined) =>
    typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
  return {
    text: (key: string) => {
      const value = scalar(metadata.get(key));
      return typeof value === 'string' ? value : null;
    },
    number: (key: string) => number(scalar(metadata.get(key))),
    flag: (key: string) => {
      const value = scalar(metadata.get(key));
      return typeof value === 'boolean' ? value : null;
    },
    array: (key: string) => {
      const value = metadata.get(key);
      return typeof value === 'object' ? value : null;
    },
    /** A number, or one for each layer. */
    numbers: (key: string): number | readonly number[] | null => {
      const value = metadata.get(key);
      if (typeof value !== 'object') return number(value);
      const items = value.items?.map(number) ?? [null];
      return items.includes(null) ? null : (items as number[]);
    },
  };
}

async function otherParts(first: GgufHeader): Promise<GgufHeader[]> {
  const read = reader(first);
  const count = read.number('split.count') ?? 1;
  if (count <= 1) return [];
  const named = PART_NAME.exec(basename(first.path));
  if (count > MAX_PARTS || named === null || Number(named[3]) !== count) {
    throw invalid(first.path, `it is one of ${count} parts, but is not named name-00001-of-0000N.gguf`);
  }
  const paths = Array.from({ length: count }, (_, index) =>
    join(dirname(first.path), `${named[1]}-${String(index + 1).padStart(5, '0')}-of-${named[3]}.gguf`),
  );
  const part = read.number('split.no') ?? 0;
  if (part !== 0)
    throw invalid(first.path, `it is part ${part + 1} of ${count}; give the first, ${paths[0]}`);
  const rest: GgufHeader[] = [];
  const missing: string[] = [];
  for (const path of paths.slice(1)) {
    try {
      rest.push(await readHeader(path));
    } catch (thrown) {
      if (!(thrown instanceof AuditError) || thrown.code !== 'file_not_found') throw thrown;
      missing.push(path);
    }
  }
  if (missing.length === 0) return rest;
  const message = `${missing.length} of ${count} parts of ${first.path} are missing: ${missing.join(', ')}; put all into one folder`;
  throw new AuditError('file_not_found', message, { file: missing[0], missing });
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

function invalid(path: string, what: string): AuditError {
  return new AuditError('model_invalid', `model file ${path} cannot be used: ${what}`, { file: path });
}
