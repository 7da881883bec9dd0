/** What a run of the suite rules would do, and where, before a model is there. */

import { anySuite, resolveOptions } from '../../../contract/index.ts';
import { AuditError } from '../../../errors.ts';
import { planRun, type RunPlan } from '../../../run/plan.ts';
import type { SampleChoice } from '../../../run/sample.ts';
import { type RulesMaterial, type RulesOptions, rulesOptions } from '../ask/index.ts';
import { rules } from '../ask/rules.ts';
import { choosePhrase, loadRulesTables, parseContext, phraseFolder, type RulesTables } from '../index.ts';
import { checkSplit } from './data.ts';
import {
  earlierResults,
  isPerformance,
  modelFolder,
  type ResultFiles,
  resultFiles,
  resultFolder,
  stampOf,
} from './folder.ts';
import type { RulesPlanOptions } from './options.ts';
import { stoppedRuns } from './stopped.ts';

/** Pairs of a run that is only to show whether everything works. */
const DEBUG_PAIRS = 5;

/** A run of rule moderation before its models are there. */
export interface RulesPlan extends Pick<RulesPlanOptions, 'modelId' | 'rag' | 'intervals'> {
  /** Null where results are kept. */
  readonly run: RunPlan | null;
  readonly options: RulesOptions;
  readonly tables: RulesTables;
  /** Of the results. */
  readonly folder: string;
  /** `debug`, `limit-N`, `sample-N-seed-S`, or null for the whole split. */
  readonly part: string | null;
  readonly limit: number | undefined;
  readonly sample: SampleChoice | undefined;
  /** A performance file that is there already and is to stay; null where the run is to be made. */
  readonly kept: string | null;
  /** Of this run: of the one that is resumed, or of one that begins. */
  readonly files: ResultFiles;
  /** It resumes a run that was stopped. */
  readonly resumed: boolean;
  /** Folders of runs that were stopped here and are left as they are, the newest first. */
  readonly stopped: readonly string[];
}

function partOf({
  debug = false,
  limit,
  sample,
}: RulesPlanOptions): Pick<RulesPlan, 'part' | 'limit' | 'sample'> {
  const key = limit !== undefined ? 'limit' : sample !== undefined ? 'sample' : null;
  if (debug && key !== null) {
    const message = `debug is a run of ${DEBUG_PAIRS} pairs; leave ${key} out`;
    throw new AuditError('bad_argument', message, { key });
  }
  if (debug) return { part: 'debug', limit: DEBUG_PAIRS, sample };
  if (limit !== undefined) return { part: `limit-${limit}`, limit, sample };
  return { part: sample ? `sample-${sample.rows}-seed-${sample.seed ?? 0}` : null, limit, sample };
}

/**
 * What a run would do, and where. Throws `bad_argument`, `experiment_invalid`, faults of the data files, and `data_malformed`
 * where the manifest of a run that lies there is damaged.
 */
export async function planRules(given: RulesPlanOptions): Promise<RulesPlan> {
  const tables = await loadRulesTables(given.tables);
  const options = resolveOptions('rules', rulesOptions, {
    ...given.options,
    tables: tables.sha256,
    rag: given.rag ? JSON.stringify(given.rag.description) : null,
    finalModel: given.stage2Model ?? null,
  });
  parseContext(options.context, tables.contexts);
  const phrase = choosePhrase(options.phrase, options.mode, tables.phrases);
  const { part, limit, sample } = partOf(given);
  const folder = resultFolder(given.out ?? 'output/eval', {
    model: given.modelId ?? modelFolder(given.model),
    split: options.split,
    context: options.context,
    phrase: phraseFolder(phrase),
    rag: given.rag?.suffix ?? null,
    part,
  });
  await checkSplit(given.data, options.split);
  const earlier = given.override ? [] : earlierResults(folder).filter(isPerformance);
  const kept = earlier.at(-1) ?? null;
  const which = await whichRun(given, folder, part, kept);
  const run =
    kept === null
      ? await planRun({
          suite: anySuite(rules),
          data: given.data,
          options,
          material: { tables, fewShot: given.rag?.fewShot ?? null } satisfies RulesMaterial,
          out: which.files.run,
          resume: which.resumed,
          ...(limit === undefined ? {} : { limit }),
          ...(sample === undefined ? {} : { sample }),
          ...(given.strict === undefined ? {} : { strict: given.strict }),
        })
      : null;
  const { modelId, rag, intervals } = given;
  return {
    ...{ run, options, tables, folder, part, limit, sample, kept },
    ...which,
    ...(modelId === undefined ? {} : { modelId }),
    ...(rag ? { rag } : {}),
    ...(intervals ? { intervals } : {}),
  };
}

/** The newest run that was stopped, where it is to be resumed; else one that begins. */
async function whichRun(
  { resume = false, startedAt = new Date() }: RulesPlanOptions,
  folder: string,
  part: string | null,
  kept: string | null,
): Promise<Pick<RulesPlan, 'files' | 'resumed' | 'stopped'>> {
  const stopped = kept === null ? await stoppedRuns(folder, part) : [];
  const [newest, ...others] = stopped;
  const resumed = resume && newest !== undefined;
  return {
    files: resultFiles(folder, resumed ? newest : stampOf(startedAt), part),
    resumed,
    stopped: (resumed ? others : stopped).map((stamp) => resultFiles(folder, stamp, part).run),
  };
}
