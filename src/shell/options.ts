/** Options that several commands share: each is defined here once, with its parser and its help. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AuditError } from '../errors.ts';
import type { LoraAdapter, MetricsImpl, ModelOptions } from '../model/index.ts';
import { DEFAULT_DATE, dateOf, SYSTEM_ROLES, type SystemRole } from '../prompt/index.ts';

type Settings = Readonly<Record<string, string>>;

/** A parser of such an option; which keys and values there are is not its business. `example` is what help shows. */
export function setting(example: string): (text: string, before?: Settings) => Settings {
  return (text, before = {}) => {
    const equals = text.indexOf('=');
    const [key, value] = [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
    if (equals === -1 || key === '' || value === '') {
      throw new InvalidArgumentError(`Give KEY=VALUE, as in ${example}.`);
    }
    if (Object.hasOwn(before, key)) throw new InvalidArgumentError(`${key} is set twice; give it once.`);
    return { ...before, [key]: value };
  };
}

/** The values that there are: an option that is not given is left out, so that its default holds where it is used. */
export function onlyGiven<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } {
  const there = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [Key in keyof Values]?: Exclude<Values[Key], undefined> };
}

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

/** A number from `least`. */
export function numberFrom(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < least) {
      throw new InvalidArgumentError(`Give a number from ${least}.`);
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

/** A number above 0, up to 1. */
export function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value <= 1)) {
    throw new InvalidArgumentError('Give a number above 0, up to 1.');
  }
  return value;
}

/** YYYY-MM-DD */
function day(text: string): string {
  try {
    dateOf(text);
    return text;
  } catch {
    throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
  }
}

/** NAME,NAME */
export function names(text: string): readonly string[] {
  const list = text.split(',').map((name) => name.trim());
  if (list.includes('')) throw new InvalidArgumentError('A name is empty. Give NAME,NAME.');
  return list;
}

/** What follows a name in .gguf is a scale, good or bad; elsewhere a colon may belong to the name. */
const AFTER_GGUF = /^(.+\.gguf):([^/\\]*)$/is;
const AFTER_COLON = /^(.+):([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/is;

/** FILE or FILE:SCALE, once for each adapter. */
function loraAdapter(text: string, before: readonly LoraAdapter[] = []): readonly LoraAdapter[] {
  const [, path = text, scale] = AFTER_GGUF.exec(text) ?? AFTER_COLON.exec(text) ?? [];
  if (scale === undefined) return [...before, { path }];
  if (scale.trim() === '' || !Number.isFinite(Number(scale)))
    throw new InvalidArgumentError('After the colon comes the scale, a number such as 0.5.');
  return [...before, { path, scale: Number(scale) }];
}

export interface EngineFlags {
  ctx?: number;
  mode?: 'exact' | 'fast';
  kvType?: 'f32' | 'f16';
  flashAttention?: boolean;
  threads?: number;
  batch?: number;
  device?: string;
  metricsImpl?: MetricsImpl;
  gpuLayers?: number;
  lora?: readonly LoraAdapter[];
  systemRole?: SystemRole;
  date?: string;
  timeout?: number;
  inProcess?: boolean;
}

/** Every option of the local engine, by its flag's name. */
const ENGINE_OPTIONS: Readonly<Record<keyof EngineFlags, () => Option>> = {
  ctx: () =>
    new Option('--ctx <tokens>', 'longest text in tokens (default: as trained, at most 1024)').argParser(
      wholeNumber(1),
    ),
  mode: () =>
    new Option('--mode <mode>', 'exact: each text alone, the same bits in any order; fast: shared prefixes')
      .choices(['exact', 'fast'])
      .default('fast'),
  kvType: () =>
    new Option('--kv-type <type>', 'type of the KV cache; f16 halves its memory and costs accuracy')
      .choices(['f32', 'f16'])
      .default('f32'),
  flashAttention: () => new Option('--flash-attention', 'faster attention that costs accuracy'),
  threads: () =>
    new Option(
      '--threads <n>',
      'CPU threads (default: LOGIT_AUDIT_THREADS, or the fastest of one, half of the cores and all, by a short trial)',
    ).argParser(wholeNumber(1)),
  batch: () =>
    new Option(
      '--batch <tokens>',
      'tokens decoded in one call in mode fast (default: 128 on the CPU, 512 on an accelerator)',
    ).argParser(wholeNumber(1)),
  device: () =>
    new Option(
      '--device <name>',
      'auto: every accelerator, else the CPU; cpu; cuda, metal or vulkan: all of a kind together; or one as "logit-audit doctor" names it; or several of those, CUDA0,CUDA1, each with the whole model, that share the work',
    ).default('auto'),
  metricsImpl: () =>
    new Option(
      '--metrics-impl <name>',
      'who reduces logits; auto: on the accelerator that computes them, else cpu; graph: ggml operations on any device',
    )
      .choices(['auto', 'cpu', 'graph', 'cuda', 'metal'])
      .default('auto'),
  gpuLayers: () =>
    new Option('--gpu-layers <n>', 'layers on the accelerator, where there is one (default: all)').argParser(
      wholeNumber(0),
    ),
  lora: () =>
    new Option(
      '--lora <file[:scale]>',
      'LoRA adapter, with a scale of 1 where none is given; may be repeated, and then they add up',
    ).argParser(loraAdapter),
  systemRole: () =>
    new Option(
      '--system-role <what>',
      "system messages in chats: auto: in front of the user's message where the model takes none; fold: always there; keep: as they are (default: auto)",
    ).choices(SYSTEM_ROLES),
  date: () =>
    new Option(
      '--date <YYYY-MM-DD>',
      `day that a chat template writes (default: its own, or ${DEFAULT_DATE} where it has none)`,
    ).argParser(day),
  timeout: () =>
    new Option(
      '--timeout <seconds>',
      'time limit of one window of requests; what outlives it is retried alone, then failed (default: 600)',
    ).argParser(wholeNumber(1)),
  inProcess: () =>
    new Option(
      '--in-process',
      'run the engine in this process: a crash of it ends the run, and no time limit',
    ),
};

export type EngineFlag = keyof EngineFlags;
export const ENGINE_FLAGS = Object.keys(ENGINE_OPTIONS) as EngineFlag[];
const ALL = ENGINE_FLAGS;

/** `--engine-mode`, for commands that have a `--mode` of their own. */
export function engineModeOption(): Option {
  const { description, argChoices } = ENGINE_OPTIONS.mode();
  return new Option('--engine-mode <mode>', description).choices(argChoices!).default('fast');
}

/** Adds an option that a command does not have yet: what local models and endpoints both take is one option. */
export function addOnce(command: Command, option: Option): void {
  if (command.options.every(({ long }) => long !== option.long)) command.addOption(option);
}

/** Adds options of the local engine to a command; by default all of them. */
export function withEngineOptions(command: Command, flags: readonly EngineFlag[] = ALL): Command {
  for (const flag of flags) addOnce(command, ENGINE_OPTIONS[flag]());
  return command;
}

/**
 * Options of the engine on the command line of what needs no engine would be ignored, so they are refused. Throws
 * `bad_argument`.
 */
export function refuseEngineFlags(command: Command, why: string): void {
  const given = ALL.filter((flag) => command.getOptionValueSource(flag) === 'cli');
  if (given.length === 0) return;
  const flags = given.map((flag) => ENGINE_OPTIONS[flag]().long!);
  throw new AuditError('bad_argument', `${flags.join(', ')}: ${why}; leave it out`, { keys: flags });
}

/** What the flags of a command say; those that it does not have are left to the engine's own defaults. */
export function engineOptions(flags: EngineFlags): ModelOptions {
  const { ctx, timeout } = flags;
  const given = {
    mode: flags.mode,
    kvType: flags.kvType,
    flashAttention: flags.flashAttention,
    contextLength: ctx,
    threads: flags.threads,
    batch: flags.batch,
    device: flags.device,
    metricsImpl: flags.metricsImpl,
    gpuLayers: flags.gpuLayers,
    lora: flags.lora,
    systemRole: flags.systemRole,
    date: flags.date,
    inProcess: flags.inProcess,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
  } satisfies { [Key in keyof Required<ModelOptions>]: ModelOptions[Key] | undefined };
  return onlyGiven(given);
}
