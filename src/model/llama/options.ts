/** What a model is opened with: the engine's own options, and where the engine runs. */
import { AuditError } from '../../errors.ts';
import type { EngineOptions, LoraAdapter } from '../../native/engine.ts';
import type { SystemRole } from '../../prompt/index.ts';

/** How a GGUF model is opened and run. */
export interface ModelOptions extends Omit<EngineOptions, 'lora' | 'device'> {
  /**
   * `auto` (default): every accelerator that there is, else the CPU; `cpu`: no accelerator takes part; all of one kind:
   * `cuda`, `metal`, `vulkan`; or the name of one, such as `CUDA1`, as `logit-audit doctor` lists them. Several with
   * commas between them, `CUDA0,CUDA1`, hold the model once each, in a process each, and share the windows.
   */
  readonly device?: string;
  /** LoRA adapters, which add up: a file, or several with their scales. */
  readonly lora?: string | readonly (string | LoraAdapter)[];
  /**
   * Run llama.cpp in this process instead of one of its own; default false. Saves a millisecond a window and some
   * memory; a crash of llama.cpp is then a crash of this process, and there is no time limit.
   */
  readonly inProcess?: boolean;
  /**
   * What becomes of system messages in chats: `auto` (default): they are folded into the user's message where the chat
   * template does not take them; `fold`: always; `keep`: never.
   */
  readonly systemRole?: SystemRole;
  /**
   * The day, YYYY-MM-DD, that the chat template writes. Default: a date of the template's own, and 2025-01-01 where it has
   * none.
   */
  readonly date?: string;
  /** Time limit of one window, and of any other single call, in ms; default ten minutes. */
  readonly timeoutMs?: number;
}

/** The devices that hold the model, each for itself; at least one. Throws `bad_argument` where a name is empty. */
function devicesOf({ device }: ModelOptions): [string | undefined, ...(string | undefined)[]] {
  if (typeof device !== 'string' || !device.includes(',')) return [device];
  const names = device.split(',').map((name) => name.trim());
  if (names.includes('')) {
    const message = `device is "${device}", and there is no name beside one of its commas; give names such as CUDA0,CUDA1`;
    throw new AuditError('bad_argument', message, { key: 'device' });
  }
  const [first, ...others] = names;
  return [first, ...others];
}

/**
 * The engine's own part of the options, for each device that holds the model. Throws `bad_argument` where a device's name is
 * empty; what is of a wrong type is left for the engine to refuse by name.
 */
export function toEngineOptions(options: ModelOptions): [EngineOptions, ...EngineOptions[]] {
  const engine = withAdapters(options);
  const on = (device: string | undefined) => (device === undefined ? engine : { ...engine, device });
  const [first, ...others] = devicesOf(options);
  return [on(first), ...others.map(on)];
}

function withAdapters({
  inProcess,
  timeoutMs,
  systemRole,
  date,
  lora,
  ...engine
}: ModelOptions): EngineOptions {
  if (lora === undefined) return engine;
  const all = typeof lora === 'string' ? [lora] : lora;
  const named = Array.isArray(all) ? all.map((one) => (typeof one === 'string' ? { path: one } : one)) : all;
  return { ...engine, lora: named as readonly LoraAdapter[] };
}
