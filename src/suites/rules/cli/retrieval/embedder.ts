/** The embedder that a command names, opened. */
import path from 'node:path';
import { openApiEmbedder, openModel, optionsOf, type Usage } from '../../../../model/index.ts';
import { hashFiles } from '../../../../run/index.ts';
import { type EndpointFlags, embedderOptions } from '../../../../shell/endpoint-options.ts';
import { type EngineFlags, engineOptions, onlyGiven } from '../../../../shell/options.ts';
import { type Embedder, modelEmbedder } from '../../retrieval/store/index.ts';

export interface EmbedderFlags extends EngineFlags, EndpointFlags {
  dimensions?: number;
  textsPerRequest?: number;
}

export interface OpenEmbedder extends Embedder, AsyncDisposable {
  /** What was asked of an endpoint so far; null for a model on this machine. */
  usage(): Usage | null;
}

/** Opens a GGUF file, or a model behind an endpoint by `openai:MODEL`. Throws what opening either of them throws. */
export function openEmbedder(name: string, flags: EmbedderFlags): Promise<OpenEmbedder> {
  return optionsOf(name) === 'endpoint' ? openRemote(name, flags) : openFile(name, flags);
}

async function openRemote(name: string, flags: EmbedderFlags): Promise<OpenEmbedder> {
  const { dimensions, textsPerRequest } = flags;
  const embedder = await openApiEmbedder(name, {
    ...(await embedderOptions(flags)),
    ...onlyGiven({ dimensions, textsPerRequest }),
  });
  return {
    identity: embedder.identity,
    calls: embedder.calls,
    embed: (texts, options) => embedder.embed(texts, options),
    usage: () => embedder.usage,
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * Whatever changes its vectors is part of its identity, so that those of another engine, or of other options, are never taken
 * for its own.
 */
async function openFile(name: string, flags: EngineFlags): Promise<OpenEmbedder> {
  const model = await openModel(name, engineOptions(flags));
  try {
    const { sha256 } = await hashFiles(model.info.parts);
    const { mode = 'fast', kvType = 'f32', flashAttention = false } = flags;
    const settings = { mode, kvType, flashAttention, llama: model.system.llamaVersion };
    const embedder = modelEmbedder(model, { kind: 'gguf', name: path.basename(name), sha256, settings });
    return { ...embedder, usage: () => null, [Symbol.asyncDispose]: () => model.close() };
  } catch (thrown) {
    await model.close();
    throw thrown;
  }
}
