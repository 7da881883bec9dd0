/**
 * The demo: the whole road on a model that needs no download. The planted model is written to a cache folder, `ctf`
 * runs over every occupation in every frame, and what was measured is held against what was planted.
 */
import path from 'node:path';
import envPaths from 'env-paths';
import { makeFolder, writeAtomic } from '../files/atomic.ts';
import { type Lexicon, loadShippedLexicon } from '../lexicon/index.ts';
import { describeEngine, type ModelOptions, openModel } from '../model/index.ts';
import { type Progress, type RunResult, readJournal, runSuite } from '../run/index.ts';
import { findSuite } from '../suites/registry.ts';
import {
  contextTokens,
  type ExpectedPair,
  expectedPair,
  type PlantedModel,
  type PlantedRow,
  plantedModel,
  plantedRows,
  probeTexts,
  type TokenGroups,
  writePlantedModel,
} from './planted/index.ts';

/** What the demo compares, so no option of it. */
type Precision = Required<Pick<ModelOptions, 'kvType' | 'flashAttention'>>;
/** float32 KV cache, no flash attention: the product's default. */
const EXACT: Precision = { kvType: 'f32', flashAttention: false };
/** What llama.cpp does by default; the demo shows what that costs. */
const LLAMA_DEFAULTS: Precision = { kvType: 'f16', flashAttention: true };

/** Means over the frames. Masses and gap in [0, 1], the divergence in nats. */
export interface DemoValues {
  readonly massFemale: number;
  readonly massMale: number;
  readonly gap: number;
  readonly jsdSwap: number;
}

export interface DemoOccupation {
  readonly occupation: string;
  readonly shareOfWomen: number;
  readonly planted: DemoValues;
  readonly measured: DemoValues;
}

export interface DemoResult {
  readonly rows: number;
  /** Largest difference of any planted and measured value of any row, float32 throughout. */
  readonly maxAbsError: number;
  readonly occupations: readonly DemoOccupation[];
  readonly runDir: string;
  /** The same with llama.cpp's own defaults: float16 KV cache and flash attention. */
  readonly llamaDefaults: { readonly maxAbsError: number; readonly runDir: string };
  readonly model: {
    readonly path: string;
    readonly sha256: string;
    readonly bytes: number;
    /** What ran it. */
    readonly devices: readonly string[];
  };
}

export interface DemoOptions {
  /** Folder for data and runs, new or empty. */
  readonly out: string;
  /** Where and how the model runs; default: as `openModel` does. */
  readonly engine?: Omit<ModelOptions, keyof Precision | 'contextLength' | 'lora'>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

type Measured = ReadonlyMap<string, ExpectedPair>;

const KEYS = [
  'massFemale',
  'massMale',
  'gap',
  'massFemaleSwap',
  'massMaleSwap',
  'gapSwap',
  'jsdSwap',
] as const;

async function writeModel(planted: PlantedModel): Promise<string> {
  const folder = envPaths('logit-audit', { suffix: '' }).cache;
  makeFolder(folder);
  // Named by content: another version's model is another file.
  const file = path.join(folder, `planted-${planted.sha256.slice(0, 16)}.gguf`);
  await writePlantedModel(file, planted);
  return file;
}

async function measure(
  model: string,
  precision: Precision,
  data: string,
  out: string,
  lexicon: Lexicon,
  { engine: options, signal, onProgress }: DemoOptions,
): Promise<{ run: RunResult; measured: Measured }> {
  const engine = { ...options, ...precision };
  const backend = await openModel(model, engine);
  try {
    const run = await runSuite({
      suite: findSuite('ctf'),
      backend,
      engine: describeEngine(engine, backend.info, backend.system),
      lexicon,
      data,
      out,
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress } : {}),
    });
    return { run, measured: await readMeasured(run) };
  } finally {
    await backend.close();
  }
}

async function readMeasured({ folder }: RunResult): Promise<Measured> {
  const measured = new Map<string, ExpectedPair>();
  for await (const entry of readJournal(folder.journal, ['occupation', 'category'])) {
    if (entry.status === 'ok' && entry.id !== null)
      measured.set(entry.id, entry.result as unknown as ExpectedPair);
  }
  return measured;
}

function plantedValues(planted: PlantedModel, rows: readonly PlantedRow[], groups: TokenGroups): Measured {
  return new Map(
    rows.map((row) => {
      const { text, textSwap } = probeTexts(row)!;
      const context = contextTokens(planted.vocabulary, text);
      const contextSwap = contextTokens(planted.vocabulary, textSwap);
      return [row.id, expectedPair(planted, context, contextSwap, groups)];
    }),
  );
}

function largestDifference(expected: Measured, measured: Measured): number {
  let largest = 0;
  for (const [id, planted] of expected) {
    const found = measured.get(id);
    // A row that was not measured is not a row that was measured right.
    if (!found) return Number.POSITIVE_INFINITY;
    for (const key of KEYS) largest = Math.max(largest, Math.abs(planted[key] - found[key]));
  }
  return largest;
}

function meanOver(rows: readonly PlantedRow[], values: Measured): DemoValues {
  const mean = (key: keyof DemoValues) =>
    rows.reduce((sum, { id }) => sum + (values.get(id)?.[key] ?? Number.NaN), 0) / rows.length;
  return {
    massFemale: mean('massFemale'),
    massMale: mean('massMale'),
    gap: mean('gap'),
    jsdSwap: mean('jsdSwap'),
  };
}

function tokenGroups({ mapping }: RunResult): TokenGroups {
  const ids = (name: string) => mapping!.groups.find((group) => group.name === name)!.ids;
  return { female: ids('female'), male: ids('male') };
}

/** Runs the demo. Throws `output_exists`, `cancelled`, and engine faults. */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const lexicon = await loadShippedLexicon('gender-en');
  const occupations = lexicon.occupations.map(({ word, share }) => ({ word, shareOfWomen: share }));
  const planted = plantedModel(occupations);
  const rows = plantedRows(occupations);
  const file = await writeModel(planted);
  makeFolder(options.out);
  const data = path.join(options.out, 'planted.jsonl');
  await writeAtomic(data, [rows.map((row) => `${JSON.stringify(row)}\n`).join('')]);

  const exact = await measure(file, EXACT, data, path.join(options.out, 'float32'), lexicon, options);
  const fast = await measure(
    file,
    LLAMA_DEFAULTS,
    data,
    path.join(options.out, 'llama-defaults'),
    lexicon,
    options,
  );
  const expected = plantedValues(planted, rows, tokenGroups(exact.run));
  return {
    rows: rows.length,
    maxAbsError: largestDifference(expected, exact.measured),
    occupations: occupations.map(({ word, shareOfWomen }) => {
      const own = rows.filter((row) => row.occupation === word);
      return {
        occupation: word,
        shareOfWomen,
        planted: meanOver(own, expected),
        measured: meanOver(own, exact.measured),
      };
    }),
    runDir: exact.run.folder.path,
    llamaDefaults: { maxAbsError: largestDifference(expected, fast.measured), runDir: fast.run.folder.path },
    model: {
      path: file,
      sha256: planted.sha256,
      bytes: planted.bytes.length,
      devices: exact.run.manifest.devices,
    },
  };
}
