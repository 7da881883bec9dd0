/**
 * What parent and child say to each other. Every call has an id and gets one answer or one fault; answers may come
 * in any order. Messages are structured clones (`serialization: 'advanced'`), so typed arrays travel as bytes and
 * strings keep every code unit.
 */
import type { ErrorCode, ErrorData } from '../../errors.ts';
import type {
  EngineOptions,
  RawJointTokens,
  RawMeasure,
  RawModelInfo,
  RawObservations,
  RawRequest,
  RawSystem,
} from '../engine.ts';

/** Raised with every change of a message. Parent and child differ only where a build is half done. */
export const PROTOCOL_VERSION = 3;

export interface Opened {
  readonly info: RawModelInfo;
  readonly system: RawSystem;
}

/** Everything that can be asked of the child: arguments and answer. */
export interface Calls {
  /** Comes first and once. */
  open(version: number, path: string, options: EngineOptions): Opened;
  tokenizeAll(texts: readonly string[], bos: boolean, special: boolean): Int32Array[];
  tokenizeJoint(prompt: string, continuation: string, bos: boolean, special: boolean): RawJointTokens;
  pieces(tokens: Int32Array): string[];
  detokenize(tokens: Int32Array): string;
  /** The only call that can be cancelled. */
  observe(requests: RawRequest[], measure: RawMeasure): RawObservations;
  /** Frees the model; after the answer the child exits. */
  close(): null;
}

export type Method = keyof Calls;

export type Call = {
  [M in Method]: {
    readonly type: 'call';
    readonly id: number;
    readonly method: M;
    readonly args: Parameters<Calls[M]>;
  };
}[Method];

export type ToChild = Call | { readonly type: 'cancel'; readonly id: number };

export type ToParent =
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | {
      readonly type: 'fault';
      readonly id: number;
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly data: ErrorData };
    };
