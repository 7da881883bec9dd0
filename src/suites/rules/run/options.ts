/** What a run of the suite rules is given. */

import type { Json } from '../../../contract/index.ts';
import type { Backend, EngineDescription } from '../../../model/index.ts';
import type { RunOptions } from '../../../run/prepare.ts';
import type { RulesMaterial, RulesOptions } from '../ask/index.ts';
import type { IntervalRequest, ThreadType } from '../index.ts';

/** Retrieved examples, and what is told of how they were retrieved. */
export interface RulesRag {
  /** Name of the folder: rag-kK-filter-balance-src-SPLIT-art-HASH. */
  readonly suffix: string;
  /** What a performance file says under `rag`. */
  readonly description: { readonly [key: string]: Json };
  readonly fewShot: NonNullable<RulesMaterial['fewShot']>;
  /** The label that a thread's examples vote for; null for none. `pair` is the id of a pair that is asked about. */
  vote(pair: string, type: ThreadType): string | null;
}

export interface RulesRunOptions
  extends Pick<
    RunOptions,
    'backend' | 'engine' | 'data' | 'strict' | 'signal' | 'onProgress' | 'limit' | 'sample'
  > {
  /** The suite's own options: split, context, phrase, mode, parser and so on. */
  readonly options?: Partial<RulesOptions>;
  /** Root of the results; default `output/eval`. */
  readonly out?: string;
  /** Name of the model in the results; default: of its file. */
  readonly modelId?: string;
  /** Makes the final choices; default: the same model. It stays open. */
  readonly stage2?: Backend;
  /** What `stage2` runs on; a run that goes on must have the same. */
  readonly stage2Engine?: EngineDescription;
  /** Folder of the user's own contexts, phrases and template; default `rules`. */
  readonly tables?: string;
  /** Five pairs, marked as such in the names of files and folder. */
  readonly debug?: boolean;
  /** New results in the place of those that are there. */
  readonly override?: boolean;
  /**
   * Go on with the newest run of this folder that was stopped; where none was, begin. Default false. It must be the same
   * run: data, models and options.
   */
  readonly resume?: boolean;
  /** When a run that begins began, which is in the names of its files; default: now. */
  readonly startedAt?: Date;
  readonly rag?: RulesRag;
  /** Of the intervals in the result files; default: 100,000 resamples, seed 42, 0.95. */
  readonly intervals?: Partial<IntervalRequest>;
}
