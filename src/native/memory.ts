/**
 * The memory of typed arrays that the metrics addon reads. Whoever has an array can take its memory away: a buffer is
 * detached by `structuredClone`, `postMessage` or `transfer()`, a resizable one shrinks, shared memory is written by other
 * threads. Node-API can prevent none of it, and a thread that reads such memory crashes the process or computes a wrong
 * number. So:
 *
 * - a detached buffer is an error, and memory that may change at any time, resizable or shared, is refused;
 * - a call at once reads its inputs in place: nothing else runs meanwhile ({@link inPlace});
 * - a call off the event loop reads memory that nobody else reaches: a copy, or what the caller handed over
 *   ({@link withCopies}).
 *
 * Both take arguments by name, as arguments.ts returns them, so that no getter runs between a check and the use.
 */
import { isTypedArray as isAnyTypedArray, isSharedArrayBuffer } from 'node:util/types';
import { AuditError } from '../errors.ts';

const CLASSES = { Float32Array, Float64Array, Int32Array, Uint32Array, Uint16Array, Uint8Array };
type TypedArray = InstanceType<(typeof CLASSES)[keyof typeof CLASSES]>;

/** The arguments as they are. Throws `bad_argument` for memory that cannot be read safely. */
export function inPlace<T extends object>(inputs: T): T {
  return withArrays(inputs, '', (array, name) => {
    checkMemory(array, name);
    return array;
  });
}

/** The arguments with copies instead of the caller's arrays. Throws as {@link inPlace}. */
export function copied<T extends object>(inputs: T): T {
  return withArrays(inPlace(inputs), '', (array) => new (classOf(array))(array));
}

/**
 * Makes a call off the event loop on copies of the caller's arrays. The memory of arguments named in `handedOver` is
 * taken instead: no copy, and the caller's buffers are detached. Throws as {@link inPlace}, with nothing detached.
 */
export async function withCopies<T extends object, Result>(
  inputs: T,
  call: (inputs: T) => Promise<Result>,
  handedOver: readonly string[] = [],
): Promise<Result> {
  const taken = new Map<TypedArray, Parts>();
  const used: ArrayBuffer[] = [];
  const copies = withArrays(inPlace(inputs), '', (array, name) => {
    const { buffer, byteOffset, length } = partsOf(array);
    if (handedOver.includes(name)) {
      taken.set(array, { buffer, byteOffset, length });
      return array;
    }
    const Class = classOf(array);
    const memory = spares.take(length * Class.BYTES_PER_ELEMENT);
    used.push(memory);
    const copy = new Class(memory, 0, length);
    copy.set(array);
    return copy;
  });
  try {
    return await call(taken.size === 0 ? copies : withOwned(copies, taken, handedOver));
  } finally {
    for (const memory of used) spares.give(memory);
  }
}

/**
 * Memory of copies that are not needed any more. New memory costs several times what the copy does, as the system clears
 * it page by page; a loop of calls uses the same again. Held weakly: the garbage collector may have it.
 */
class Spares {
  #held: WeakRef<ArrayBuffer>[] = [];

  take(bytes: number): ArrayBuffer {
    if (bytes < LEAST_SPARE) return new ArrayBuffer(bytes);
    for (const [place, reference] of this.#held.entries()) {
      const memory = reference.deref();
      if (memory === undefined || memory.byteLength < bytes || memory.byteLength > 2 * bytes) continue;
      this.#held.splice(place, 1);
      return memory;
    }
    return new ArrayBuffer(bytes);
  }

  give(memory: ArrayBuffer): void {
    if (memory.byteLength < LEAST_SPARE) return;
    this.#held = [new WeakRef(memory), ...this.#held.filter((held) => held.deref())].slice(0, MOST_SPARES);
  }
}

const LEAST_SPARE = 64 * 1024;
const MOST_SPARES = 4;
const spares = new Spares();

function withOwned<T>(inputs: T, taken: ReadonlyMap<TypedArray, Parts>, handedOver: readonly string[]): T {
  const buffers = [...new Set([...taken.values()].map(({ buffer }) => buffer))];
  const owned = takeOver(buffers, handedOver);
  return withArrays(inputs, '', (array) => {
    const parts = taken.get(array);
    if (parts === undefined) return array;
    return new (classOf(array))(owned[buffers.indexOf(parts.buffer)]!, parts.byteOffset, parts.length);
  });
}

function takeOver(buffers: ArrayBuffer[], names: readonly string[]): ArrayBuffer[] {
  try {
    return structuredClone(buffers, { transfer: buffers });
  } catch (cause) {
    const named = names.map((name) => `\`${name}\``).join(' or ');
    throw new AuditError(
      'bad_argument',
      `the memory of ${named} cannot be handed over, as that of a pooled Buffer or of WebAssembly: leave out \`transfer\``,
      { input: names[0] },
      { cause },
    );
  }
}

/** What `change` makes of the typed arrays in arguments that arguments.ts has read; names are those of the keys. */
function withArrays<T>(value: T, name: string, change: (array: TypedArray, name: string) => TypedArray): T {
  if (isTypedArray(value)) return change(value, name) as T;
  if (Array.isArray(value)) {
    return (value.some(isTypedArray) ? value.map((entry) => withArrays(entry, name, change)) : value) as T;
  }
  // Objects of classes, such as an aggregator, are no arguments with memory.
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const changed: Record<string, unknown> = Object.create(null);
  for (const [key, entry] of Object.entries(value)) changed[key] = withArrays(entry, key, change);
  return changed as T;
}

function isTypedArray(value: unknown): value is TypedArray {
  return isAnyTypedArray(value);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

interface Parts {
  readonly buffer: ArrayBuffer;
  readonly byteOffset: number;
  readonly length: number;
}

// The accessors of the language, not properties of the same name that an array may have been given.
const prototype = Object.getPrototypeOf(Uint8Array.prototype);
const [typeName, bufferOf, offsetOf, lengthOf] = [Symbol.toStringTag, 'buffer', 'byteOffset', 'length'].map(
  (key) => Object.getOwnPropertyDescriptor(prototype, key)!.get!,
) as [() => string, () => ArrayBufferLike, () => number, () => number];
const isResizable = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'resizable')!.get!;

function partsOf(array: TypedArray): Parts {
  return {
    buffer: bufferOf.call(array) as ArrayBuffer,
    byteOffset: offsetOf.call(array),
    length: lengthOf.call(array),
  };
}

interface TypedArrayClass {
  readonly BYTES_PER_ELEMENT: number;
  new (source: TypedArray | ArrayBuffer, byteOffset?: number, length?: number): TypedArray;
}

/** The class by what the array is: subclasses may do anything when they are made. */
function classOf(array: TypedArray): TypedArrayClass {
  return CLASSES[typeName.call(array) as keyof typeof CLASSES] as TypedArrayClass;
}

function checkMemory(array: TypedArray, name: string): void {
  const { buffer, length } = partsOf(array);
  const type = typeName.call(array);
  if (isSharedArrayBuffer(buffer)) {
    throw refused(name, 'lies in a SharedArrayBuffer, which other threads may write to', copyOf(type, name));
  }
  if (isResizable.call(buffer)) {
    throw refused(
      name,
      'lies in a resizable ArrayBuffer, which may shrink while it is read',
      copyOf(type, name),
    );
  }
  if (length === 0 && isDetached(buffer)) {
    const remedy = 'pass it before its buffer is transferred, or pass a copy';
    throw refused(name, 'has no memory any more: its buffer was detached', remedy);
  }
}

function copyOf(type: string, name: string): string {
  return `pass a copy, new ${type}(${name})`;
}

function isDetached(buffer: ArrayBuffer): boolean {
  try {
    // Node 20 has no `detached`.
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

function refused(name: string, what: string, remedy: string): AuditError {
  return new AuditError('bad_argument', `\`${name}\` ${what}: ${remedy}`, { input: name });
}
