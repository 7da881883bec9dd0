/** A scale put to a model: every participant at every tier, case by case. The result file is made of the journal. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { anySuite } from '../../../contract/index.ts';
import { type Backend, readsChats } from '../../../model/index.ts';
import type { RunFolder } from '../../../run/folder.ts';
import type { Manifest } from '../../../run/manifest.ts';
import { planOwnRows, type RunPlan } from '../../../run/plan.ts';
import type { RunModel } from '../../../run/prepare.ts';
import { runPlan } from '../../../run/run.ts';
import { scaleAsker } from '../ask/index.ts';
import { askedSubscales, type Scale } from '../data/index.ts';
import { ID_COLUMN, planCases, type ScaleCases, type ScaleCasesOptions } from './plan.ts';
import { readScaleResults } from './results.ts';
import { RESULTS_FILE, type ScaleCase, type ScaleCounts, type ScaleTotals, scaleSuite } from './suite.ts';

/** How a model is asked, of participants and item by item. */
export interface DecodingOptions {
  /** Ask in the model's own chat template: where it has one (`auto`, default), always, or never. */
  readonly chat?: 'auto' | 'on' | 'off';
  /** Most tokens of an answer; default 256, of an item 32. */
  readonly maxTokens?: number;
  /** From 0, where each token is the likeliest one; default 0. */
  readonly temperature?: number;
  /** In (0, 1]: draws come from the fewest likeliest tokens that together have this probability. Default 1. */
  readonly topP?: number;
}

/** A run of a scale before its model is there. */
export interface ScalePlanOptions extends ScaleCasesOptions, DecodingOptions {
  /** Folder of the run: new or empty, or with `resume` that of a run that was stopped. */
  readonly out: string;
  /** Resume what is in the folder; what was answered is not asked again. Default false. */
  readonly resume?: boolean;
  /** Default 0. */
  readonly sampleSeed?: number;
}

/** A run of a scale and its model. */
export interface ScaleRunOptions extends ScalePlanOptions, RunModel {}

/** What a run of a scale asks; all that can be wrong without the model has been looked at. */
export interface ScalePlan extends ScaleCases {
  readonly scale: Scale;
  readonly personasSha256: string;
  readonly given: ScalePlanOptions;
  readonly run: RunPlan;
}

/** What a run of a scale wrote. */
export interface ScaleRunResult {
  readonly folder: RunFolder;
  readonly manifest: Manifest;
  readonly plan: ScalePlan;
  readonly counts: ScaleCounts;
  /** The result file. */
  readonly results: string;
  /** What was wrong with the first case that failed; null where none did. */
  readonly firstFailure: string | null;
  readonly notes: readonly string[];
}

export const MAX_TOKENS = 256;

/**
 * Plans a run. Throws `output_exists`, `bad_argument` (tiers, subscales, a scale without personas, a range that no grammar is
 * written for), `template_failed`, `data_malformed` for a result file that is damaged, and what reading the participants throws.
 */
export async function planScale(given: ScalePlanOptions): Promise<ScalePlan> {
  const { scale, subscales, out, resume = false } = given;
  const cases = await planCases(given);
  const results = path.join(out, RESULTS_FILE);
  const personasSha256 = hashPersonas(cases.cases);
  const { file, participants, repeated } = cases.table;
  const run = planOwnRows({
    suite: anySuite(scaleSuite),
    rows: cases.cases,
    sources: [file],
    options: {
      scale: scale.sha256,
      subscales: askedSubscales(scale, subscales).map(({ name }) => name),
      idColumn: given.idColumn ?? ID_COLUMN,
      guided: given.guided ?? false,
      maxTokens: given.maxTokens ?? MAX_TOKENS,
      temperature: given.temperature ?? 0,
      topP: given.topP ?? 1,
      sampleSeed: given.sampleSeed ?? 0,
    },
    about: {
      scale: { name: scale.name, file: scale.file, sha256: scale.sha256 },
      participants: participants.length,
      repeated: repeated.length,
      tiers: cases.tiers,
      personasSha256,
      system: cases.system,
    },
    sample: cases.sample,
    ...{ out, resume },
    ...(given.limit === undefined ? {} : { limit: given.limit }),
    ...(resume && existsSync(results) ? { answered: await readScaleResults(results) } : {}),
  });
  return { ...cases, scale, personasSha256, given, run };
}

/** Plans a run and asks every case that its folder has no answer to. Throws what {@link planScale} and {@link runScalePlan} throw. */
export async function runScale(options: ScaleRunOptions): Promise<ScaleRunResult> {
  return runScalePlan(await planScale(options), options);
}

/**
 * Asks every case that the folder has no answer to. Throws with `resume` `bad_argument` for a folder of a run with other settings and
 * `data_malformed` for a journal that is damaged; and `cancelled` and engine faults, after which the run can be resumed.
 */
export async function runScalePlan(plan: ScalePlan, model: RunModel): Promise<ScaleRunResult> {
  const { given, scale, cases } = plan;
  const chat = asksInChats(model.backend, given.chat);
  const { maxTokens = MAX_TOKENS, temperature = 0, topP = 1, sampleSeed = 0, guided = false } = given;
  const asking = { chat, guided, maxTokens, temperature, topP, sampleSeed };
  const material = { cases, ask: scaleAsker(scale, given.subscales, asking) };
  const options = { ...plan.run.options, chat };
  const { folder, manifest, derivation } = await runPlan({ ...plan.run, options, material }, model);
  const totals = derivation as ScaleTotals;
  return {
    ...{ folder, manifest, plan },
    counts: totals.counts,
    results: folder.list(RESULTS_FILE),
    firstFailure: totals.firstFailure,
    notes: [...plan.notes, ...totals.notes()],
  };
}

/** Is it asked in chats? A mock reads them without a template. */
export function asksInChats(backend: Backend, chat: 'auto' | 'on' | 'off' = 'auto'): boolean {
  return (
    chat === 'on' || (chat === 'auto' && (readsChats(backend) || backend.info.architecture === 'policy'))
  );
}

/** Over the messages of every case, in order. */
function hashPersonas(cases: readonly ScaleCase[]): string {
  const hash = createHash('sha256');
  for (const { id, persona } of cases) hash.update(`${JSON.stringify([id, persona.system, persona.user])}\n`);
  return hash.digest('hex');
}
