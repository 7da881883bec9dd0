/**
 * What an audit costs next to decoding alone, to a loop without shared prefixes, and to sums in JavaScript: all as ratios
 * of runs that take turns in one process. docs/design/benchmarks.md says how each figure is made.
 */
import path from 'node:path';
import type { MetricsImpl } from '../src/native/engine.ts';
import { type BusyLine, busy } from './engine/busy.ts';
import { chooseModel } from './engine/model.ts';
import { type OverheadLine, overhead } from './engine/overhead.ts';
import { type PrefixLine, prefix } from './engine/prefix.ts';
import { loadProduct } from './engine/product.ts';
import { type Setting, threadsOr } from './engine/setting.ts';
import { type LoopLine, vsLoop } from './engine/vs-loop.ts';

export const ENGINE_PARTS = ['overhead', 'prefix', 'vsLoop', 'busy'] as const;
export type EnginePart = (typeof ENGINE_PARTS)[number];

export interface EngineBenchOptions {
  readonly root: string;
  readonly parts: readonly EnginePart[];
  readonly model: string | undefined;
  readonly threads: number | undefined;
  readonly data: string | undefined;
  readonly limit: number;
  readonly metricsImpl: MetricsImpl | undefined;
  readonly peers: string | undefined;
}

export async function* engineBench(
  options: EngineBenchOptions,
): AsyncGenerator<OverheadLine | PrefixLine | LoopLine | BusyLine> {
  const { root, parts, limit, metricsImpl, peers } = options;
  const model = await chooseModel(root, options.model);
  if (model === null) return;
  const setting: Setting = {
    product: await loadProduct(root),
    model,
    threads: threadsOr(options.threads),
    data: options.data ?? path.resolve(root, '../shared/datasets'),
    limit,
    metricsImpl,
    peers,
  };
  if (parts.includes('overhead')) yield await overhead(setting);
  if (parts.includes('prefix')) yield* prefix(setting);
  if (parts.includes('vsLoop')) yield* vsLoop(setting);
  if (parts.includes('busy')) yield* busy(setting);
}
