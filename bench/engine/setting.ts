/** What the benchmarks of the engine share: what is measured, on which model, with how many threads. */
import os from 'node:os';
import path from 'node:path';
import type { EngineOptions, MetricsImpl } from '../../src/native/engine.ts';
import type { Product } from './product.ts';

export interface Setting {
  readonly product: Product;
  /** Path of the model. */
  readonly model: string;
  readonly threads: number;
  /** Folder of the data sets. */
  readonly data: string;
  /** Rows of each data set that are timed. */
  readonly limit: number;
  /** Who reduces logits; left out, the engine's own choice. */
  readonly metricsImpl: MetricsImpl | undefined;
  /** Folder where other bindings of llama.cpp are installed. */
  readonly peers: string | undefined;
}

export function threadsOr(asked: number | undefined): number {
  return asked ?? os.availableParallelism();
}

export function engineOptions({ threads, metricsImpl }: Setting): EngineOptions {
  return { threads, ...(metricsImpl && { metricsImpl }) };
}

/** What stands in front of every line. */
export function setAgainst({ model, threads }: Setting) {
  return { model: path.basename(model), threads };
}
