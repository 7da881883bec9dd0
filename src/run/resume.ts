/** Resuming a run that was stopped: it must be the same run, and what it has done stays. */
import { existsSync } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ResumeAt, Suite } from '../contract/index.ts';
import { AuditError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { NO_CRC } from '../files/sealed-line.ts';
import type { EndpointDescription } from '../model/index.ts';
import { readCheckpoint } from './checkpoint.ts';
import type { RunFolder } from './folder.ts';
import { checkJournalOf, cutTornLine, readCheckedJournal, readJournal } from './journal.ts';
import type { Manifest } from './manifest.ts';
import { NOTHING_DONE, type PipelineDone } from './pipeline.ts';
import { readManifest } from './stored.ts';

/** Where a stopped run resumes. */
export interface ResumePoint {
  readonly manifest: Manifest;
  readonly done: PipelineDone;
  readonly promptsSha256: string | undefined;
  /** Nothing is left to ask. */
  readonly ended: boolean;
  /** Of a suite that asks what is unanswered: ids of the rows that are answered, and how many the journal knows. */
  readonly answered?: ReadonlySet<string>;
  readonly known?: number;
}

/** Options of the engine that no number depends on. */
const FREE: ReadonlySet<string> = new Set(['threads', 'timeoutMs', 'inProcess']);

/** Those of the options that numbers may depend on. */
export function decisive(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([key]) => !FREE.has(key)));
}

/** Where an endpoint is and how it is asked, as far as its answers may depend on it. */
export function endpointAsked({
  baseUrl,
  api,
  serviceTier,
  sampling,
  systemRole = 'auto',
}: Omit<EndpointDescription, 'systemRole'> & Partial<Pick<EndpointDescription, 'systemRole'>>): object {
  return { baseUrl, api, serviceTier, sampling, systemRole };
}

/** What must be the same, by the name that a user knows it by. Paths may differ: what lies there may not. */
const SAME: Readonly<Record<string, (manifest: Manifest) => unknown>> = {
  suite: ({ suite }) => suite,
  'version of logit-audit': ({ versions }) => versions.logitAudit,
  'version of llama.cpp': ({ versions }) => versions.llama,
  'revision of the suite': ({ experiment }) => experiment.revision ?? 1,
  data: ({ data }) => [data.sha256, data.rows],
  'content of the data': ({ data }) => data.sha256,
  lexicon: ({ lexicon }) => lexicon?.sha256 ?? null,
  model: ({ model }) => [model.sha256 ?? model.path, model.tokenizerSha256, model.chatTemplateSha256],
  'how chats are rendered': ({ model }) => model.chats ?? null,
  adapters: ({ model }) => model.adapters.map(({ sha256, scale }) => [sha256, scale]),
  'engine options': ({ engine }) => decisive(engine.options),
  'mode of the engine': ({ engine }) => engine.options.mode ?? null,
  endpoint: ({ engine: { endpoint } }) => (endpoint ? endpointAsked(endpoint) : null),
  // Without flash attention no number depends on them.
  'number of threads, with flash attention': ({ engine, threads }) =>
    engine.options.flashAttention ? (threads ?? []).map((one) => one.threads) : null,
  'build of the engine': ({ engine }) => [engine.builtFor, engine.features],
  devices: ({ devices }) => devices,
};

/** What at most the last digits of a row depend on, and which rows there are: answers are kept whatever these are. */
const OF_DIGITS: ReadonlySet<string> = new Set([
  ...['version of logit-audit', 'version of llama.cpp', 'data', 'engine options', 'build of the engine'],
  ...['number of threads, with flash attention', 'devices', 'interval', 'limit'],
]);

function firstDifference(
  was: Manifest,
  now: Manifest,
  resumeAt: ResumeAt,
): { name: string; was: unknown; now: unknown } | null {
  const options = new Set([...Object.keys(was.experiment.options), ...Object.keys(now.experiment.options)]);
  const settings = new Set([...Object.keys(was.experiment), ...Object.keys(now.experiment)]);
  settings.delete('options');
  settings.delete('revision');
  const views: [string, (manifest: Manifest) => unknown][] = [
    ...Object.entries(SAME),
    ...[...options].map((key): [string, (manifest: Manifest) => unknown] => [
      `option ${key}`,
      ({ experiment }) => (experiment.options as Readonly<Record<string, unknown>>)[key],
    ]),
    ...[...settings].map((key): [string, (manifest: Manifest) => unknown] => [
      key,
      ({ experiment }) => (experiment as unknown as Readonly<Record<string, unknown>>)[key],
    ]),
  ];
  for (const [name, of] of views) {
    if (resumeAt !== 'end' && OF_DIGITS.has(name)) continue;
    // As the file has them: what JSON leaves out is no difference.
    const [before, after] = [was, now].map(
      (manifest) => JSON.parse(JSON.stringify([of(manifest) ?? null]))[0],
    );
    if (!isDeepStrictEqual(before, after)) return { name, was: before, now: after };
  }
  return null;
}

async function doneSoFar(
  folder: RunFolder,
  rows: number,
  sliceNames: readonly string[],
  written: { readonly file: string; readonly journalCrc: number | null | undefined },
): Promise<PipelineDone> {
  let [failed, skipped, seen, last] = [0, 0, 0, NO_CRC];
  let firstFailure: string | null = null;
  for await (const { entry, crc } of readCheckedJournal(folder.journal, sliceNames)) {
    seen += 1;
    last = crc;
    if (entry.status === 'failed') {
      failed += 1;
      firstFailure ??= entry.error.message;
    }
    if (entry.status === 'skipped') skipped += 1;
  }
  if (seen !== rows) {
    const message = `${folder.journal} has ${seen} rows, and ${rows} were done; make the run again in a new folder`;
    throw new AuditError('data_malformed', message, { file: folder.journal });
  }
  checkJournalOf(folder.journal, last, written);
  return { rows, failed, skipped, firstFailure };
}

/** Cuts what stands behind the last window that was done for certain. */
async function cutJournal(file: string, bytes: number): Promise<void> {
  if (bytes === 0 && !existsSync(file)) return;
  try {
    // A shorter file would be filled up with NUL bytes.
    const { size } = await stat(file);
    if (size >= bytes) return await truncate(file, bytes);
    const message = `${file} has ${size} bytes, and ${bytes} were written: its end is lost; restore the file from a copy, or make the run again in a new folder`;
    throw new AuditError('data_malformed', message, { file });
  } catch (cause) {
    throw fileError(file, cause);
  }
}

/** Throws `bad_argument` where the folder holds a run, and not the one that `expected` describes. */
export async function checkSameRun(
  folder: RunFolder,
  expected: Manifest,
  { resumeAt = 'end' }: Pick<Suite, 'resumeAt'>,
): Promise<Manifest | null> {
  if (!existsSync(folder.manifest)) return null;
  const manifest = await readManifest(folder.manifest);
  const difference = firstDifference(manifest, expected, resumeAt);
  if (difference === null) return manifest;
  const { name, was, now } = difference;
  const message = `${folder.path} cannot be resumed: ${name} was ${JSON.stringify(was)} and is ${JSON.stringify(now)}; resume with the same, or give a new folder for --out`;
  throw new AuditError('bad_argument', message, { folder: folder.path, key: name, was, now });
}

/**
 * Looks at what a stopped run left in the folder and cuts its journal to the last whole window. Null where there is no run
 * yet. Throws `bad_argument` where it is not the run that `expected` describes, and `data_malformed` where it is damaged.
 */
export async function resumePoint(
  folder: RunFolder,
  expected: Manifest,
  suite: Pick<Suite, 'slices' | 'resumeAt'>,
): Promise<ResumePoint | null> {
  const manifest = await checkSameRun(folder, expected, suite);
  if (manifest === null) return null;
  const { slices, resumeAt } = suite;
  const complete = manifest.status === 'complete';
  const checkpoint = complete ? (manifest.askAgainFrom ?? null) : await readCheckpoint(folder.checkpoint);
  if (complete && manifest.askAgainFrom === undefined) {
    const promptsSha256 = manifest.promptsSha256 ?? undefined;
    if (resumeAt === 'unanswered') {
      await cutTornLine(folder.journal);
      return { manifest, promptsSha256, ended: false, ...(await answeredSoFar(folder, slices)) };
    }
    const written = { file: folder.manifest, journalCrc: manifest.journalCrc32 };
    const done = await doneSoFar(folder, manifest.data.rows, slices, written);
    return { manifest, done, promptsSha256, ended: true };
  }
  await cutJournal(folder.journal, checkpoint?.bytes ?? 0);
  if (checkpoint === null) return { manifest, done: NOTHING_DONE, promptsSha256: undefined, ended: false };
  const { promptsSha256 } = checkpoint;
  if (resumeAt === 'unanswered') {
    return { manifest, promptsSha256, ended: false, ...(await answeredSoFar(folder, slices)) };
  }
  const written = { file: folder.checkpoint, journalCrc: checkpoint.journalCrc };
  const done = await doneSoFar(folder, checkpoint.rows, slices, written);
  return { manifest, done, promptsSha256, ended: false };
}

async function answeredSoFar(
  { journal }: RunFolder,
  slices: readonly string[],
): Promise<Pick<ResumePoint, 'done' | 'answered' | 'known'>> {
  const [answered, known] = [new Set<string>(), new Set<string>()];
  for await (const { id, status } of readJournal(journal, slices)) {
    known.add(id!);
    if (status === 'ok') answered.add(id!);
  }
  return { done: NOTHING_DONE, answered, known: known.size };
}
