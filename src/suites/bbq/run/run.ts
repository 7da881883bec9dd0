/**
 * The benchmark under one experiment: a run for each cell, in one folder as a panel, and of each the result file that
 * scoring starts from.
 */
import path from 'node:path';
import { anySuite, resolveOptions } from '../../../contract/index.ts';
import { AuditError } from '../../../errors.ts';
import { type Backend, isQuantised } from '../../../model/index.ts';
import { type PanelResult, runPanelPlan } from '../../../run/panel/panel.ts';
import {
  type PanelModel,
  type PanelPlan,
  type PanelPlanOptions,
  planPanel,
} from '../../../run/panel/plan.ts';
import type { SampleChoice } from '../../../run/sample.ts';
import { bbq } from '../ask/bbq.ts';
import {
  type BbqOptions,
  bbqOptions,
  type Cell,
  cellName,
  type ReasoningMode,
  reasons,
} from '../ask/index.ts';
import { type Experiment, resultToken } from '../experiment/index.ts';
import { type SplitScores, writeSplitScores } from '../score/paper/index.ts';
import { type CellChoice, cellsWithRows, chosenCells } from './cells.ts';
import { Images } from './images.ts';
import { dataName, modelName, resultPath } from './names.ts';
import { type WrittenResults, writeResults } from './results.ts';
import { type CellJournal, scoresOf } from './scores.ts';

/** What a run of an experiment is about: cells, data, options, folder. */
export interface BbqPlanOptions extends CellChoice, Omit<PanelPlanOptions, 'parts'> {
  readonly experiment: Experiment;
  readonly data: string | readonly string[];
  /** Default: the letter alone; `reasoning` where the experiment retries. */
  readonly reasoningMode?: ReasoningMode;
  readonly answer?: BbqOptions['answer'];
  readonly chat?: BbqOptions['chat'];
  /** Most tokens of a text; default 32, and 512 where the model is to think. */
  readonly maxTokens?: number;
  /** From 0; above 0 only where the experiment samples or retries. Needed by the mode `temp`. */
  readonly temperature?: number;
  /** Default 0. */
  readonly sampleSeed?: number;
  /** What was done to the images of an experiment with changed copies. */
  readonly augmentation?: string;
  /** Name of the data in the folder of the results; default: that of the images, or of the data file. */
  readonly dataId?: string;
  /** Folder of the model in the results, with `/` where it has an owner; default: the model's file name. */
  readonly modelId?: string;
  /** What image paths of the data start from; default: the working folder. */
  readonly imageRoot?: string;
  /** Only the first rows of each cell; no sample. */
  readonly limit?: number;
  /** Only a random sample of the rows of each cell: of full data the same pairs of persons in each. */
  readonly sample?: SampleChoice;
}

/** What the cells are run on. */
export type BbqModel = Omit<PanelModel, 'onPart'>;

export interface BbqRunOptions extends BbqPlanOptions, BbqModel {}

/** What a run of an experiment wrote, cell by cell, and the scores of the benchmark. */
export interface BbqRunResult {
  readonly panel: PanelResult;
  /** By the cells that were run, in order; null for one without a measured row. */
  readonly results: readonly { readonly cell: Cell; readonly written: WrittenResults | null }[];
  /** The benchmark's own scores, by split; those of scores.json. */
  readonly scores: readonly SplitScores[];
  /** The folder that scoring takes. */
  readonly resultsDir: string;
  readonly notes: readonly string[];
}

const TEXT_TOKENS = 32;
const THOUGHT_TOKENS = 512;

/** What is known without the model. */
export interface BbqPlan extends Pick<BbqPlanOptions, 'experiment' | 'imageRoot' | 'interval' | 'modelId'> {
  /** A part for each cell. */
  readonly panel: PanelPlan;
  readonly cells: readonly Cell[];
  /** Options of the suite, without a cell's own. */
  readonly options: BbqOptions;
  /** Folder of the results: DATA_TOKEN. */
  readonly resultsName: string;
  readonly suffix: string | null;
  readonly notes: readonly string[];
}

function axesOf({ fields, image, options, disambig, inject, retry, stripImageRef }: Experiment) {
  return { fields, image, options, disambig, inject, retry, stripImageRef } satisfies Partial<BbqOptions>;
}

function suiteOptions(given: BbqPlanOptions, reasoningMode: ReasoningMode): BbqOptions {
  const { experiment, answer, chat, maxTokens, temperature, sampleSeed, augmentation } = given;
  const set = { answer, chat, temperature, sampleSeed, augmentation };
  return resolveOptions('bbq', bbqOptions, {
    ...axesOf(experiment),
    reasoningMode,
    maxTokens: maxTokens ?? (reasons(reasoningMode) ? THOUGHT_TOKENS : TEXT_TOKENS),
    ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)),
  });
}

function checkTemperature({ mode, name, retry }: Experiment, { temperature, answer }: BbqOptions): string[] {
  if (temperature > 0 && answer === 'letters') {
    const message =
      'a temperature is for texts, and only letters are asked for; leave it out, or give --answer both';
    throw new AuditError('bad_argument', message, { key: 'temperature' });
  }
  if (mode === 'temp' && answer === 'letters') {
    const message = `experiment ${name} samples texts, and only letters are asked for; give --answer text or both`;
    throw new AuditError('bad_argument', message, { key: 'answer' });
  }
  return retry && temperature === 0 && answer !== 'letters'
    ? ['a text without an answer is not asked for again: at temperature 0 the same text would come']
    : [];
}

/** They become folders. */
const FOLDER = /^[A-Za-z0-9][\w.-]*$/;

function checkNames({ dataId, modelId }: Pick<BbqRunOptions, 'dataId' | 'modelId'>): void {
  if (dataId !== undefined && !FOLDER.test(dataId)) {
    const message = `dataId is ${JSON.stringify(dataId)}; give letters, digits, . _ and -`;
    throw new AuditError('bad_argument', message, { key: 'dataId' });
  }
  if (modelId !== undefined && !modelId.split('/').every((part) => FOLDER.test(part))) {
    const message = `modelId is ${JSON.stringify(modelId)}; give MODEL or OWNER/MODEL, of letters, digits, . _ and -`;
    throw new AuditError('bad_argument', message, { key: 'modelId' });
  }
}

/** What a run would do. Throws `bad_argument` and `data_empty`, and faults of the data files. */
export async function planBbq(given: BbqPlanOptions): Promise<BbqPlan> {
  const { experiment, data, temperature, augmentation } = given;
  checkNames(given);
  const reasoningMode = given.reasoningMode ?? (experiment.retry ? 'reasoning' : 'nonreasoning');
  const token = resultToken(experiment, { temperature, augmentation, reasoningMode });
  const options = suiteOptions(given, reasoningMode);
  const notes = checkTemperature(experiment, options);
  const chosen = chosenCells(experiment, given);
  const { cells, image } = await cellsWithRows(chosen, data, options, given);
  const left = chosen.filter((cell) => !cells.includes(cell));
  const files = [data].flat();
  const { out, strict, interval, cluster, resume, limit, sample, imageRoot, modelId } = given;
  const panel = await planPanel({
    out,
    ...(strict === undefined ? {} : { strict }),
    ...(interval ? { interval } : {}),
    ...(cluster ? { cluster } : {}),
    ...(resume === undefined ? {} : { resume }),
    parts: cells.map((cell) => ({
      name: cellName(cell),
      suite: anySuite(bbq),
      data,
      options: { ...options, ...cell },
      ...(limit === undefined ? {} : { limit }),
      ...(sample === undefined ? {} : { sample }),
    })),
  });
  return {
    ...{ experiment, panel, cells, options },
    ...(imageRoot === undefined ? {} : { imageRoot }),
    ...(interval ? { interval } : {}),
    ...(modelId === undefined ? {} : { modelId }),
    resultsName: `${given.dataId ?? dataName(image, files[0]!)}_${token}`,
    suffix: reasoningMode === 'nonreasoning' ? null : reasoningMode,
    notes: [...notes, ...left.map((cell) => `${cellName(cell)} is left out: the data have no row of it`)],
  };
}

/** What an image is asked with, as far as a model is asked whether it can see one. */
const SHOWN = { kind: 'generate', prompt: '', images: ['any'] } as const;

/** Throws `bad_argument` where a cell shows an image and the model cannot see. */
export async function checkSight(
  cells: readonly Cell[],
  backend: Pick<Backend, 'seesImages' | 'info' | 'prepare'>,
): Promise<void> {
  const seen = cells.find(({ split }) => split !== 'text');
  if (seen === undefined) return;
  await backend.prepare?.([SHOWN]);
  if (backend.seesImages) return;
  const message = `${backend.info.path} cannot see images, and the split ${seen.split} shows one; give --split text, or --experiment llm, which names the groups in the text`;
  throw new AuditError('bad_argument', message, { key: 'split', split: seen.split });
}

function checkQuantised({ quant, name }: Experiment, { info }: Pick<Backend, 'info'>): void {
  if (!quant || info.architecture === 'policy' || isQuantised(info)) return;
  const message = `experiment ${name} is about a quantised model, and ${info.path} is ${info.description}; give a quantised file, or --experiment main`;
  throw new AuditError('bad_argument', message, { key: 'quant' });
}

/** Plans and runs an experiment over all its cells. Throws what {@link planBbq} and {@link runBbqPlan} throw. */
export async function runBbq(given: BbqRunOptions): Promise<BbqRunResult> {
  return runBbqPlan(await planBbq(given), given);
}

/**
 * Runs a planned experiment. Throws before anything is written `bad_argument` for a model that cannot see what the
 * experiment shows, and what a panel throws.
 */
export async function runBbqPlan(plan: BbqPlan, model: BbqModel): Promise<BbqRunResult> {
  const { experiment, interval } = plan;
  const { backend } = model;
  const { out } = plan.panel;
  await checkSight(plan.cells, backend);
  checkQuantised(experiment, backend);
  const name = modelName(backend.info.path, backend.info.parameters, plan.modelId);
  const images = new Images(plan.imageRoot ?? '.');
  const results: { cell: Cell; written: WrittenResults | null }[] = [];
  const journals: CellJournal[] = [];
  const panel = await runPanelPlan(plan.panel, {
    ...model,
    // At once, so that a run that is stopped has the files of the cells that were done.
    async onPart({ run }) {
      const cell = plan.cells[results.length]!;
      const file = resultPath(out, plan.resultsName, name, cell, plan.suffix);
      if (run) journals.push({ cell, journal: run.folder.journal });
      results.push({ cell, written: run && (await writeResults(file, run.folder.journal, images)) });
    },
  });
  const scores = await scoresOf(journals, interval);
  await writeSplitScores(out, 'paper', scores);
  const unwritten = results.filter(({ written }) => written === null);
  return {
    panel,
    results,
    scores,
    resultsDir: path.join(out, 'results', plan.resultsName),
    notes: [
      ...plan.notes,
      ...unwritten.map(({ cell }) => `${cellName(cell)} has no result file: no row of it was measured`),
    ],
  };
}
