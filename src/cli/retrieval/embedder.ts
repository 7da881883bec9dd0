/** The embedder that a command names, opened. */
import path from 'node:path';
import { AuditError } from '../../errors.ts';
import { openModel } from '../../model/index.ts';
import { type Embedder, modelEmbedder } from '../../retrieval/index.ts';
import { hashFiles } from '../../run/index.ts';
import { type EngineFlags, engineOptions } from '../options.ts';

export interface OpenEmbedder extends Embedder, AsyncDisposable {}

/**
 * Opens a GGUF file. Whatever changes its vectors is part of its identity, so that those of another engine, or of other
 * options, are never taken for its own.
 */
export async function openEmbedder(name: string, flags: EngineFlags): Promise<OpenEmbedder> {
  if (name.startsWith('openai:')) {
    const message = `${name}: embeddings are made by GGUF models only; give the path of one`;
    throw new AuditError('bad_argument', message, { key: 'embedder' });
  }
  const model = await openModel(name, engineOptions(flags));
  try {
    const { sha256 } = await hashFiles(model.info.parts);
    const { mode = 'fast', kvType = 'f32', flashAttention = false } = flags;
    const settings = { mode, kvType, flashAttention, llama: model.system.llamaVersion };
    const embedder = modelEmbedder(model, { kind: 'gguf', name: path.basename(name), sha256, settings });
    return { ...embedder, [Symbol.asyncDispose]: () => model.close() };
  } catch (thrown) {
    await model.close();
    throw thrown;
  }
}
