/**
 * node-llama-cpp, where it is installed: the binding that a Node user would take today. It hands a step's logits out as a
 * Map of the whole vocabulary, sorted; the loop over it does what plain.ts does over an array.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PlainStep, TOP_K } from '../plain.ts';

export interface Peer {
  /** Its name and version. */
  readonly name: string;
  /** Decodes a text and reduces the step after every token. */
  everyStep(tokens: Int32Array, groups: readonly Int32Array[]): Promise<PlainStep[]>;
  close(): Promise<void>;
}

/** As much of its API as is used here. */
interface Binding {
  getLlama(options: object): Promise<{
    loadModel(options: object): Promise<{
      createContext(options: object): Promise<{
        getSequence(): {
          controlledEvaluate(
            input: [token: number, options: { generateNext: { logits: true; options: object } }][],
          ): Promise<({ next: { logits?: Map<number, number> } } | undefined)[]>;
          clearHistory(): Promise<void>;
        };
      }>;
    }>;
    dispose(): Promise<void>;
  }>;
}

const PACKAGE = 'node_modules/node-llama-cpp';

/** Opens the model with what this engine has by default: a float32 cache, no flash attention. Null if not installed. */
export async function openPeer(folder: string, modelPath: string, threads: number): Promise<Peer | null> {
  const place = path.resolve(folder, PACKAGE);
  if (!existsSync(path.join(place, 'package.json'))) return null;
  const { version } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
  const binding: Binding = await import(pathToFileURL(path.join(place, 'dist/index.js')).href);
  const llama = await binding.getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: 'error',
    maxThreads: threads,
  });
  const model = await llama.loadModel({ modelPath: path.resolve(modelPath) });
  const context = await model.createContext({
    contextSize: 256,
    batchSize: 128,
    threads,
    flashAttention: false,
    experimentalKvCacheKeyType: 'F32',
    experimentalKvCacheValueType: 'F32',
  });
  const sequence = context.getSequence();
  return {
    name: `node-llama-cpp ${version}`,
    async everyStep(tokens, groups) {
      await sequence.clearHistory();
      // Temperature 0, so that no sampler has its hand in the logits.
      const wanted = { generateNext: { logits: true as const, options: { temperature: 0 } } };
      const evaluated = await sequence.controlledEvaluate(Array.from(tokens, (token) => [token, wanted]));
      return evaluated.map((step, at) => {
        const logits = step?.next.logits;
        if (logits === undefined) throw new Error(`node-llama-cpp gave no logits after token ${at}`);
        return mapStep(logits, groups);
      });
    },
    close: () => llama.dispose(),
  };
}

/** plainStep over a Map whose entries come largest first. */
function mapStep(logits: ReadonlyMap<number, number>, groups: readonly Int32Array[]): PlainStep {
  const top: [number, number][] = [];
  for (const entry of logits) if (top.push(entry) === TOP_K) break;
  const max = top[0]![1];
  let sum = 0;
  for (const z of logits.values()) sum += Math.exp(z - max);
  const logsumexp = max + Math.log(sum);
  let entropy = 0;
  for (const z of logits.values()) entropy -= (Math.exp(z - max) / sum) * (z - logsumexp);
  const probability = (id: number) => Math.exp(logits.get(id)! - max) / sum;
  return {
    logsumexp,
    entropy,
    masses: groups.map((ids) => ids.reduce((mass, id) => mass + probability(id), 0)),
    topIds: Int32Array.from(top, ([id]) => id),
    topProbs: Float64Array.from(top, ([id]) => probability(id)),
  };
}
