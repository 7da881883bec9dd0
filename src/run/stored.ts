/** A finished run as it lies on the disk: what is needed to work with its rows again, without the model. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { AuditError } from '../errors.ts';
import { fileError } from '../file-error.ts';
import type { LexiconMapping, LexiconMappingJson } from '../lexicon/index.ts';
import { findSuite, resolveOptions, type Suite, type SuiteContext } from '../suite/index.ts';
import { type RunFolder, runFolder } from './folder.ts';
import type { Manifest } from './manifest.ts';

export interface StoredRun {
  readonly folder: RunFolder;
  readonly manifest: Manifest;
  readonly suite: Suite;
  /** Without the lexicon and the numbers by occupation, which are not kept with a run. */
  readonly context: SuiteContext;
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw fileError(path, cause);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${path} is no valid JSON; the run is damaged, make it again`;
    throw new AuditError('data_malformed', message, { file: path }, { cause });
  }
}

async function storedMapping({ lexicon }: RunFolder): Promise<LexiconMapping | null> {
  if (!existsSync(lexicon)) return null;
  const stored = (await readJson(lexicon)) as LexiconMappingJson;
  const groups = stored.groups.map((group) => ({ ...group, ids: Int32Array.from(group.ids) }));
  return { ...stored, groups, toJSON: () => stored };
}

/**
 * Reads a run's folder. Throws `file_not_found` where there is no run, `data_malformed` for a damaged one, and
 * `bad_argument` for one that did not come to its end.
 */
export async function openRun(path: string): Promise<StoredRun> {
  const folder = runFolder(path);
  if (!existsSync(folder.manifest)) {
    throw new AuditError(
      'file_not_found',
      `${path} holds no run (no manifest.json); give the folder of a run`,
      {
        folder: path,
      },
    );
  }
  const manifest = (await readJson(folder.manifest)) as Manifest;
  if (manifest.status !== 'complete') {
    throw new AuditError(
      'bad_argument',
      `the run in ${path} is ${manifest.status}, not complete; run it to its end`,
      {
        folder: path,
        status: manifest.status,
      },
    );
  }
  const suite = findSuite(manifest.suite);
  return {
    folder,
    manifest,
    suite,
    context: {
      options: resolveOptions(suite.name, suite.options, manifest.experiment.options),
      compat: manifest.experiment.compat,
      lexicon: null,
      mapping: await storedMapping(folder),
      occupations: [],
      addsBos: manifest.model.addsBos,
    },
  };
}
