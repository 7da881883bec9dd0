/** manifest.json: everything that is needed to repeat a run, and how it ended. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunCounts, SuiteContext } from '../contract/index.ts';
import type { Survey } from '../dataset/index.ts';
import type { Lexicon } from '../lexicon/index.ts';
import type { Backend, ChatDescription, EngineDescription, ThreadChoice, Usage } from '../model/index.ts';
import type { IntervalOptions } from './accumulate/index.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type ContextDescription, frontOf } from './context.ts';
import { type HashedFile, hashFiles, hashTokenizer } from './hash.ts';
import type { Rounding } from './rounding.ts';
import type { SampleDescription } from './sample.ts';

export interface Manifest {
  readonly id: string;
  readonly suite: string;
  /** `running` until the derived files stand; a run that was stopped says why. */
  readonly status: 'running' | 'complete' | 'cancelled' | 'failed';
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** When the run was resumed, each time. */
  readonly resumedAt: readonly string[];
  readonly versions: { readonly logitAudit: string; readonly node: string; readonly llama: string };
  /** The resolved experiment. */
  readonly experiment: ContextDescription & {
    readonly interval: IntervalOptions;
    readonly limit: number | null;
    /** Null where no sample was drawn, and in runs of earlier versions. */
    readonly sample?: SampleDescription | null;
    readonly strict: boolean;
    /** Columns of clusters, none for rows by themselves; null, or not there: those of the suite. */
    readonly cluster?: readonly string[] | null;
  };
  readonly data: {
    readonly files: Survey['files'];
    /** Over the files, one after the other. */
    readonly sha256: string;
    readonly bytes: number;
    readonly rows: number;
  };
  /** What the rows were made of, where they were not read of data files one by one. */
  readonly material?: Readonly<Record<string, unknown>>;
  /** Null where the suite needs none. */
  readonly lexicon: {
    readonly name: string;
    readonly sha256: string;
    /** Names of its groups, which names of metrics have in them; not there in runs of earlier versions. */
    readonly groups?: readonly string[];
  } | null;
  readonly model: {
    readonly path: string;
    /** Over the model's files, one after the other; null where it has none. */
    readonly sha256: string | null;
    /** In order; one unless the model is split. */
    readonly files: readonly HashedFile[];
    /** LoRA adapters as they were applied. */
    readonly adapters: readonly (HashedFile & { readonly scale: number; readonly alpha: number })[];
    /** Null where it is not known. */
    readonly tokenizerSha256: string | null;
    readonly chatTemplateSha256: string | null;
    /** How chats are rendered; null where the model has no template. */
    readonly chats: ChatDescription | null;
    readonly description: string;
    readonly architecture: string;
    /** Counted; null where it is not known. */
    readonly parameters: number | null;
    readonly vocabSize: number | null;
    readonly addsBos: boolean;
    /** What is put in front of a text whose first token is scored, where the model itself puts nothing there; else null. */
    readonly front?: SuiteContext['front'];
  };
  readonly engine: EngineDescription;
  /** What ran the model; `engine.devices` lists what there was. */
  readonly devices: readonly string[];
  /** CPU threads, for each process that holds the model, as of the end of the run; no number depends on them. */
  readonly threads: readonly ThreadChoice[];
  /** Over every request's texts, as hash.ts says; null until all were asked. */
  readonly promptsSha256: string | null;
  readonly counts: RunCounts | null;
  /** Checksum of the last line of rows.jsonl, and so of all; null until all were written, not there in runs of earlier versions. */
  readonly journalCrc32?: number | null;
  /**
   * How far its texts' log-probabilities depend on what was decoded beside them, by a sample; null until all rows were
   * written, and where they do not (other weights, the mode `exact`) or where nothing was scored.
   */
  readonly rounding?: Rounding | null;
  /** Of a suite that is resumed at its first failure: where that is; null from the start, not there where nothing failed. */
  readonly askAgainFrom?: Checkpoint | null;
  /** What was asked of an endpoint for this run and what it cost; null until its end, and for a model on this machine. */
  readonly usage: Usage | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export function packageVersion(): string {
  const file = fileURLToPath(new URL('../../package.json', import.meta.url));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Of models that are loaded: a large file is read through once, however many runs it has. */
const described = new WeakMap<Backend, Promise<Manifest['model']>>();

export function describeModel(backend: Backend): Promise<Manifest['model']> {
  const known = described.get(backend);
  if (known) return known;
  const description = readDescription(backend);
  described.set(backend, description);
  // A fault of the disk may be gone the next time.
  description.catch(() => described.delete(backend));
  return description;
}

async function readDescription(backend: Backend): Promise<Manifest['model']> {
  const { path, parts, adapters, description, architecture, parameters, vocabSize, addsBos } = backend.info;
  const hashedParts = await hashFiles(parts);
  const hashed = await hashFiles(adapters.map((adapter) => adapter.path));
  return {
    path,
    files: hashedParts.files,
    sha256: parts.length === 0 ? null : hashedParts.sha256,
    adapters: adapters.map(({ scale, alpha }, index) => ({ ...hashed.files[index]!, scale, alpha })),
    tokenizerSha256: backend.tokenizer.vocabSize === 0 ? null : await hashTokenizer(backend.tokenizer),
    chatTemplateSha256: backend.chatTemplate?.sha256 ?? null,
    chats: (await backend.describeChats?.()) ?? null,
    description,
    architecture,
    parameters: parameters === 0 ? null : parameters,
    vocabSize,
    addsBos,
    front: frontOf(backend.info),
  };
}

export function describeLexicon({ name, sha256, groups }: Lexicon): NonNullable<Manifest['lexicon']> {
  return { name, sha256, groups: groups.map((group) => group.name) };
}
