/** A finished run as it lies on the disk: what is needed to work with its rows again, without the model. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { resolveOptions, type Suite, type SuiteContext } from '../contract/index.ts';
import { AuditError, toAuditError } from '../errors.ts';
import { readJsonFile } from '../files/json-file.ts';
import type { Lexicon, LexiconMapping, LexiconMappingJson } from '../lexicon/index.ts';
import { PANEL_FILE, type RunFolder, runFolder } from './folder.ts';
import type { Manifest } from './manifest.ts';

/** The suite of a name. Throws `bad_argument` for one that it does not know. */
export type FindSuite = (name: string) => Suite;

/** A complete run as it lies on the disk. */
export interface StoredRun {
  readonly folder: RunFolder;
  readonly manifest: Manifest;
  readonly suite: Suite;
  /**
   * Of the numbers by occupation and of a lexicon's groups only the names are there: neither is kept with a run. Rows have in
   * their results what was made of them.
   */
  readonly context: SuiteContext;
}

/** What of a manifest is read again; the rest is for people. */
const stored = z.looseObject({
  suite: z.string(),
  status: z.enum(['running', 'complete', 'cancelled', 'failed']),
  // Of runs of an earlier version there is none.
  resumedAt: z.array(z.string()).default([]),
  experiment: z.looseObject({
    options: z.record(z.string(), z.unknown()),
    compat: z.enum(['reference']).nullable(),
    policy: z.string().nullable(),
    capitalised: z.boolean().nullable(),
    revision: z.int().min(1).optional(),
    occupations: z.array(z.looseObject({ name: z.string(), sha256: z.string() })),
  }),
  data: z.looseObject({
    files: z.array(z.looseObject({ path: z.string() })),
    sha256: z.string(),
    rows: z.int(),
  }),
  lexicon: z
    .looseObject({ name: z.string(), sha256: z.string(), groups: z.array(z.string()).optional() })
    .nullable(),
  model: z.looseObject({
    path: z.string(),
    tokenizerSha256: z.string().nullable(),
    chatTemplateSha256: z.string().nullable(),
    addsBos: z.boolean(),
  }),
  promptsSha256: z.string().nullable(),
  counts: z.looseObject({ rows: z.int() }).nullable(),
  journalCrc32: z.int().nullable().default(null),
  error: z.looseObject({ message: z.string() }).nullable(),
});

const storedGroups = z.looseObject({
  groups: z.array(z.looseObject({ name: z.string(), ids: z.array(z.int()) })),
});

const REMEDY = 'the run is damaged or of another version, make it again';

async function storedMapping({ lexicon }: RunFolder): Promise<LexiconMapping> {
  const mapping = (await readJsonFile(lexicon, storedGroups, REMEDY)) as unknown as LexiconMappingJson;
  const groups = mapping.groups.map((group) => ({ ...group, ids: Int32Array.from(group.ids) }));
  return { ...mapping, groups, toJSON: () => mapping };
}

/** The names of its groups, which are what metrics are called by. */
function storedLexicon({ lexicon }: Manifest): Lexicon | null {
  if (!lexicon?.groups) return null;
  const groups = lexicon.groups.map((name) => ({ name, words: [] }));
  return { ...lexicon, groups } as unknown as Lexicon;
}

/** Reads the manifest of a run, whole or not. Throws `file_not_found`, `file_unreadable` and `data_malformed`. */
export async function readManifest(file: string): Promise<Manifest> {
  return (await readJsonFile(file, stored, REMEDY)) as unknown as Manifest;
}

function noRun(folder: string): AuditError {
  const advice = existsSync(path.join(folder, PANEL_FILE))
    ? 'it is a panel: give the folder of one of its parts'
    : 'give the folder of a run';
  return new AuditError('file_not_found', `${folder} holds no run (no manifest.json); ${advice}`, { folder });
}

/** What the suite of another version may not know any more. */
function suiteOf({ suite: name, experiment }: Manifest, folder: string, findSuite: FindSuite) {
  try {
    const suite = findSuite(name);
    return { suite, options: resolveOptions(suite.name, suite.options, experiment.options, 'before') };
  } catch (thrown) {
    const { code, message, data } = toAuditError(thrown);
    throw new AuditError(code, `the run in ${folder}: ${message}`, { ...data, folder }, { cause: thrown });
  }
}

/**
 * Reads a run's folder. Throws `file_not_found` where there is no run, `data_malformed` for a damaged one, and
 * `bad_argument` for one that did not finish or is of an unknown suite.
 */
export async function openRun(folder: string, findSuite: FindSuite): Promise<StoredRun> {
  const files = runFolder(folder);
  if (!existsSync(files.manifest)) throw noRun(folder);
  const manifest = await readManifest(files.manifest);
  const { status, error, experiment, model } = manifest;
  if (status !== 'complete') {
    const why = error ? `: ${error.message}` : '';
    throw new AuditError(
      'bad_argument',
      `the run in ${folder} did not finish (status "${status}"${why}); continue it with --resume, or make it again`,
      { folder, status },
    );
  }
  const { suite, options } = suiteOf(manifest, folder, findSuite);
  return {
    folder: files,
    manifest,
    suite,
    context: {
      options,
      compat: experiment.compat,
      lexicon: storedLexicon(manifest),
      mapping: suite.lexicon === 'tokens' ? await storedMapping(files) : null,
      occupations: experiment.occupations.map(({ name }) => ({ name, values: new Map() })),
      addsBos: model.addsBos,
    },
  };
}
