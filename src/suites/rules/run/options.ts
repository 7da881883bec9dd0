/** What a run of the suite rules is given. */

import type { Json } from '../../../contract/index.ts';
import type { Backend, EngineDescription } from '../../../model/index.ts';
import type { PlanOptions } from '../../../run/plan.ts';
import type { RunModel } from '../../../run/prepare.ts';
import type { RulesMaterial, RulesOptions } from '../ask/index.ts';
import type { IntervalRequest, ThreadType } from '../index.ts';

/** Retrieved examples, and how they were retrieved. */
export interface RulesRag {
  /** Name of the folder: rag-kK-filter-balance-src-SPLIT-art-HASH. */
  readonly suffix: string;
  /** What a performance file says under `rag`. */
  readonly description: { readonly [key: string]: Json };
  readonly fewShot: NonNullable<RulesMaterial['fewShot']>;
  /** The label that a thread's examples vote for; null for none. `pair` is the id of a pair that is asked about. */
  vote(pair: string, type: ThreadType): string | null;
}

/** What a run of rule moderation is about. */
export interface RulesPlanOptions extends Pick<PlanOptions, 'data' | 'strict' | 'limit' | 'sample'> {
  /** As it was asked for. */
  readonly model: string;
  /** Of the second stage, as it was asked for. */
  readonly stage2Model?: string;
  /** The suite's own options: split, context, phrase, mode, parser and so on. */
  readonly options?: Partial<RulesOptions>;
  /** Root of the results; default `output/eval`. */
  readonly out?: string;
  /** Name of the model in the results; default: of its file. */
  readonly modelId?: string;
  /** Folder of the user's own contexts, phrases and template; default `rules`. */
  readonly tables?: string;
  /** Five pairs, marked as such in the names of files and folder. */
  readonly debug?: boolean;
  /** New results instead of those that are there. */
  readonly override?: boolean;
  /**
   * Resume the newest run of this folder that was stopped; where none was, begin. Default false. It must be the same run:
   * data, models and options.
   */
  readonly resume?: boolean;
  /** When a run that begins began, which is in the names of its files; default: now. */
  readonly startedAt?: Date;
  readonly rag?: RulesRag;
  /** Of the intervals in the result files; default: 100,000 resamples, seed 42, 0.95. */
  readonly intervals?: Partial<IntervalRequest>;
}

/** What a plan is run on. */
export interface RulesModels extends RunModel {
  /** Makes the final choices; default: the same model. It stays open. */
  readonly stage2?: Backend;
  /** What `stage2` runs on; a run that is resumed must have the same. */
  readonly stage2Engine?: EngineDescription;
}

/** A run of rule moderation and its models. */
export interface RulesRunOptions extends Omit<RulesPlanOptions, 'model' | 'stage2Model'>, RulesModels {}
