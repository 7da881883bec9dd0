/** A questionnaire that the model answers itself, item by item. */
import { anySuite } from '../../../../contract/index.ts';
import type { Backend } from '../../../../model/index.ts';
import type { RunFolder } from '../../../../run/folder.ts';
import type { Manifest } from '../../../../run/manifest.ts';
import { planOwnRows, type RunPlan } from '../../../../run/plan.ts';
import type { RunModel } from '../../../../run/prepare.ts';
import { runPlan } from '../../../../run/run.ts';
import {
  itemRequests,
  planQuestionnaire,
  type Questionnaire,
  type QuestionnaireOptions,
} from '../../ask/index.ts';
import type { Scale } from '../../data/index.ts';
import { asksInChats, type DecodingOptions } from '../run.ts';
import type { QuestionnaireStatistics } from './statistics.ts';
import {
  type AdministerDescription,
  type AdministerMaterial,
  administerSuite,
  type ItemStatistics,
} from './suite.ts';

/** A questionnaire for a model to answer as itself. */
export interface AdministerPlanOptions extends QuestionnaireOptions, DecodingOptions {
  /** Folder of the run: new or empty, or with `resume` that of a run that was stopped. */
  readonly out: string;
  readonly resume?: boolean;
  /** Which answer counts. Default: the likeliest letter of a model whose next-token probabilities can be read, else the text. */
  readonly answer?: 'letters' | 'text';
  /** Of the intervals; default 0.95. */
  readonly level?: number;
}

/** How a model is asked the items of a scale. */
export interface AdministerOptions extends AdministerPlanOptions, RunModel {}

/** Every item in every order, and what can be told without the model. */
export interface AdministerPlan {
  readonly scale: Scale;
  readonly level: number;
  readonly questionnaire: Questionnaire;
  readonly given: AdministerPlanOptions;
  readonly run: RunPlan;
}

/** What a questionnaire that a model answered gave. */
export interface AdministerResult extends Pick<AdministerPlan, 'scale' | 'level' | 'questionnaire'> {
  readonly folder: RunFolder;
  readonly manifest: Manifest;
  readonly asking: AdministerDescription;
  readonly statistics: QuestionnaireStatistics;
  readonly firstFailure: string | null;
  readonly notes: readonly string[];
}

export const ITEM_TOKENS = 32;

/** Plans every item in every order. Throws `bad_argument` for what cannot be asked, and `output_exists`. */
export function planAdminister(given: AdministerPlanOptions): AdministerPlan {
  const { scale, out, resume = false, level = 0.95 } = given;
  const questionnaire = planQuestionnaire(given);
  const { orders, system } = questionnaire;
  const run = planOwnRows({
    suite: anySuite(administerSuite),
    called: 'scale',
    rows: questionnaire.cases,
    sources: [],
    options: { scale: scale.sha256 },
    about: { scale: { name: scale.name, file: scale.file, sha256: scale.sha256 }, orders, system },
    interval: { level },
    ...{ out, resume },
  });
  return { scale, level, questionnaire, given, run };
}

/** Plans a questionnaire and has a model answer it as itself. Throws what {@link planAdminister} and {@link runAdministerPlan} throw. */
export async function administer(options: AdministerOptions): Promise<AdministerResult> {
  return runAdministerPlan(planAdminister(options), options);
}

/**
 * Asks every item in every order, and makes the files of the folder. Throws before anything is asked `bad_argument` for a
 * folder of a run with other settings, `data_malformed`, what the model refuses; and `cancelled` and faults of the engine,
 * after which the run can be resumed.
 */
export async function runAdministerPlan(plan: AdministerPlan, model: RunModel): Promise<AdministerResult> {
  const { scale, level, questionnaire } = plan;
  const asking = await askingOf(plan, model);
  const material: AdministerMaterial = { scale, questionnaire, asking, level };
  const options = { ...plan.run.options, ...asking } as unknown as RunPlan['options'];
  const { folder, manifest, derivation, firstFailure } = await runPlan(
    { ...plan.run, options, material },
    model,
  );
  const items = derivation as ItemStatistics;
  return {
    ...{ scale, level, questionnaire, folder, manifest, asking, firstFailure },
    statistics: items.statistics,
    notes: [...questionnaire.notes, ...items.notes()],
  };
}

async function askingOf(
  { given, questionnaire: { subscales, orders, system, cases } }: AdministerPlan,
  { backend, signal }: { readonly backend: Backend; readonly signal?: AbortSignal },
): Promise<AdministerDescription> {
  const { chat, seed = 0, inContext = false, answer } = given;
  const asking = {
    subscales: subscales.map(({ name }) => name),
    orders,
    seed,
    inContext,
    system,
    chat: asksInChats(backend, chat),
    maxTokens: given.maxTokens ?? ITEM_TOKENS,
    temperature: given.temperature ?? 0,
    topP: given.topP ?? 1,
    sampleSeed: seed,
  };
  const both = { ...asking, answer: 'letters', letters: true } as const;
  const [text, score] = itemRequests(cases[0]!, { system, earlier: [] }, both);
  const wanted = answer === 'text' && backend.prepare ? [text!] : [text!, score!];
  await backend.prepare?.(wanted, signal ? { signal } : {});
  const refused = backend.refusal?.(text!) ?? null;
  if (refused) throw refused;
  const noLetters = backend.refusal?.(score!) ?? null;
  if (answer === 'letters' && noLetters) throw noLetters;
  const letters = noLetters === null;
  return { ...asking, letters, answer: answer ?? (letters ? 'letters' : 'text') };
}
