/** manifest.json of a scale's run, and what of it must be the same where a run is resumed. */
import { z } from 'zod';
import { AuditError } from '../../../errors.ts';
import { readJsonFileIfThere } from '../../../files/json-file.ts';
import { type Backend, type EngineDescription, readsChats, type ThreadChoice } from '../../../model/index.ts';
import { runId } from '../../../run/folder.ts';
import type { HashedFile } from '../../../run/hash.ts';
import { describeModel, type Manifest, packageVersion } from '../../../run/manifest.ts';
import { endpointAsked } from '../../../run/resume.ts';
import type { SampleDescription } from '../../../run/sample.ts';
import type { Scale } from '../data/index.ts';

/** What is asked, and of whom. */
interface Asked {
  readonly scale: Scale;
  readonly backend: Backend;
  readonly engine: EngineDescription;
}

/** How cases are asked: with scale, participants and model, all that an answer depends on. */
export interface AskingDescription {
  readonly subscales: readonly string[];
  readonly idColumn: string;
  readonly guided: boolean;
  readonly chat: boolean;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP: number;
  readonly sampleSeed: number;
}

export interface ScaleCounts {
  /** Cases that this run is about. */
  readonly cases: number;
  readonly ok: number;
  readonly failed: number;
  /** Of `ok`: texts that were cut. */
  readonly truncated: number;
  /** Lines of a result file that was there already. */
  readonly takenOver: number;
}

/** What the manifests of both ways to ask a scale have: of participants, and item by item. */
export interface AskedManifest {
  readonly id: string;
  readonly status: Manifest['status'];
  readonly createdAt: string;
  /** When the run was resumed, each time. */
  readonly resumedAt: readonly string[];
  readonly finishedAt: string | null;
  readonly versions: Manifest['versions'];
  readonly scale: { readonly name: string; readonly file: string; readonly sha256: string };
  readonly model: Manifest['model'];
  readonly engine: EngineDescription;
  /** CPU threads, for each process that holds the model; no answer depends on them. */
  readonly threads: readonly ThreadChoice[];
  readonly devices: readonly string[];
  /** What this process asked of an endpoint, and what it cost; null for a model of this machine. */
  readonly usage: Manifest['usage'];
  readonly error: Manifest['error'];
}

export interface ScaleManifest extends AskedManifest {
  readonly suite: 'scale';
  readonly participants: HashedFile & { readonly rows: number; readonly repeated: number };
  readonly tiers: readonly string[];
  readonly limit: number | null;
  readonly sample: SampleDescription | null;
  readonly asking: AskingDescription;
  /** Over the messages of every case, in order. */
  readonly personasSha256: string;
  readonly system: string;
  readonly counts: ScaleCounts | null;
}

/** What a run has that begins, or, with the manifest from `before`, is resumed. */
export async function startedManifest(
  { scale, backend, engine }: Asked,
  before: AskedManifest | null,
): Promise<AskedManifest> {
  const now = new Date();
  return {
    id: before?.id ?? runId('scale', backend.info.path.replaceAll(':', '-'), now),
    status: 'running',
    createdAt: before?.createdAt ?? now.toISOString(),
    resumedAt: before === null ? [] : [...before.resumedAt, now.toISOString()],
    finishedAt: null,
    versions: { logitAudit: packageVersion(), node: process.version, llama: engine.llamaVersion },
    scale: { name: scale.name, file: scale.file, sha256: scale.sha256 },
    model: await describeModel(backend),
    engine,
    threads: backend.threads ?? [],
    devices: backend.info.devices,
    usage: null,
    error: null,
  };
}

/** Is it asked in chats? A mock reads them without a template. */
export function asksInChats(backend: Backend, chat: 'auto' | 'on' | 'off' = 'auto'): boolean {
  return (
    chat === 'on' || (chat === 'auto' && (readsChats(backend) || backend.info.architecture === 'policy'))
  );
}

/** What makes it one; the rest is as it was written. */
const schema = z.looseObject({ suite: z.literal('scale') });

/** Null where there is none. Throws `file_unreadable`, and `data_malformed` for what is no manifest of a scale's run. */
export async function readScaleManifest(path: string): Promise<ScaleManifest | null> {
  const remedy = "it is not the manifest of a scale's run; give the folder of one, or a new one";
  return (await readJsonFileIfThere(path, schema, remedy)) as unknown as ScaleManifest | null;
}

/** What a text depends on, by what messages call it. Tiers and how many first participants may be others. */
function identity({
  scale,
  participants,
  sample = null,
  asking,
  model,
  engine,
}: ScaleManifest): Record<string, unknown> {
  return {
    'the scale': scale.sha256,
    'the participants': participants.sha256,
    // The answers of two samples would be none.
    'the sample': sample,
    ...modelIdentity({ model, engine }),
    ...asking,
  };
}

/** What answers depend on of whoever gives them. */
export function modelIdentity({
  model,
  engine,
}: Pick<ScaleManifest, 'model' | 'engine'>): Record<string, unknown> {
  return {
    // A mock has no files, but a name.
    'the model': model.files.length === 0 ? model.path : model.sha256,
    'the adapters': model.adapters.map(({ sha256, scale: by }) => [sha256, by]),
    'how chats are rendered': model.chats ?? null,
    'the mode of the engine': engine.options.mode ?? null,
    'the endpoint': engine.endpoint ? endpointAsked(engine.endpoint) : null,
  };
}

/** Throws `bad_argument` where answers of both runs would not be answers to the same questions. */
export function checkSameRun(before: ScaleManifest, now: ScaleManifest, path: string): void {
  checkSameQuestions(identity(before), identity(now), path);
}

/** The same of what each depends on, by what messages call it. */
export function checkSameQuestions(
  old: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
  path: string,
): void {
  const other = Object.keys(given).filter((key) => JSON.stringify(old[key]) !== JSON.stringify(given[key]));
  if (other.length === 0) return;
  const message = `${path} was made with other settings (${other.join(', ')}), so its answers do not belong to this run; give the same ones, or a new folder for --out`;
  throw new AuditError('bad_argument', message, { file: path, keys: other });
}
