/** Options that several commands share: each is defined here once, with its parser and its help. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ModelOptions } from '../model/index.ts';

/** A whole number from `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`Give a whole number from ${least}.`);
    }
    return value;
  };
}

/** A number strictly between 0 and 1. */
export function fraction(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError('Give a number between 0 and 1.');
  return value;
}

export interface EngineFlags {
  ctx?: number;
  mode: 'exact' | 'fast';
  kvType: 'f32' | 'f16';
  flashAttention?: boolean;
  threads?: number;
  batch?: number;
  gpuLayers?: number;
  inProcess?: boolean;
  timeout?: number;
}

/** Adds the options of the local engine. */
export function withEngineOptions(command: Command): Command {
  return command
    .option('--ctx <tokens>', 'longest text in tokens (default: as trained, at most 1024)', wholeNumber(1))
    .addOption(
      new Option('--mode <mode>', 'exact: each text alone, the same bits in any order; fast: shared prefixes')
        .choices(['exact', 'fast'])
        .default('fast'),
    )
    .addOption(
      new Option('--kv-type <type>', 'type of the KV cache; f16 halves its memory and costs accuracy')
        .choices(['f32', 'f16'])
        .default('f32'),
    )
    .option('--flash-attention', 'faster attention that costs accuracy')
    .option('--threads <n>', 'CPU threads (default: all)', wholeNumber(1))
    .option(
      '--batch <tokens>',
      'tokens decoded in one call (default: 128 on the CPU, 512 on an accelerator)',
      wholeNumber(1),
    )
    .option(
      '--gpu-layers <n>',
      'layers on the accelerator, where one is built in (default: all)',
      wholeNumber(0),
    )
    .option(
      '--timeout <seconds>',
      'time limit of one window of requests; what outlives it is retried alone, then failed (default: 600)',
      wholeNumber(1),
    )
    .option('--in-process', 'run the engine in this process: a crash of it ends the run, and no time limit');
}

export function engineOptions(flags: EngineFlags): ModelOptions {
  const { ctx, mode, kvType, flashAttention = false, threads, batch, gpuLayers, inProcess, timeout } = flags;
  return {
    mode,
    kvType,
    flashAttention,
    ...(ctx === undefined ? {} : { contextLength: ctx }),
    ...(threads === undefined ? {} : { threads }),
    ...(batch === undefined ? {} : { batch }),
    ...(gpuLayers === undefined ? {} : { gpuLayers }),
    ...(inProcess === undefined ? {} : { inProcess }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
  };
}
