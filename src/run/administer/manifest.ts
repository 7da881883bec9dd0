/** manifest.json of a questionnaire that a model answered itself, and what of it must be the same where it is resumed. */
import { z } from 'zod';
import { readJsonFileIfThere } from '../../json-file.ts';
import type { EngineDescription, ThreadChoice } from '../../model/index.ts';
import type { AdministerAsking } from '../../suite/index.ts';
import type { Manifest } from '../manifest.ts';
import { checkSameQuestions, modelIdentity } from '../scale/manifest.ts';

/** With scale and model, all that an answer depends on. */
export interface AdministerDescription extends AdministerAsking {
  readonly subscales: readonly string[];
  readonly orders: number;
  readonly seed: number;
  readonly inContext: boolean;
  readonly system: string;
}

export interface AdministerManifest {
  readonly id: string;
  readonly suite: 'administer';
  readonly status: Manifest['status'];
  readonly createdAt: string;
  readonly resumedAt: readonly string[];
  readonly finishedAt: string | null;
  readonly versions: Manifest['versions'];
  readonly scale: { readonly name: string; readonly file: string; readonly sha256: string };
  readonly asking: AdministerDescription;
  /** Of the intervals. */
  readonly level: number;
  readonly model: Manifest['model'];
  readonly engine: EngineDescription;
  readonly threads: readonly ThreadChoice[];
  readonly devices: readonly string[];
  readonly usage: Manifest['usage'];
  readonly counts: { readonly cases: number; readonly ok: number; readonly failed: number } | null;
  readonly error: Manifest['error'];
}

const schema = z.looseObject({ suite: z.literal('administer') });

/** Null where there is none. Throws `file_unreadable`, and `data_malformed` for the manifest of another run. */
export async function readAdministerManifest(path: string): Promise<AdministerManifest | null> {
  const remedy =
    'it is not the manifest of a questionnaire that was administered; give a new folder for --out';
  return (await readJsonFileIfThere(path, schema, remedy)) as unknown as AdministerManifest | null;
}

function identity({ scale, asking, model, engine }: AdministerManifest): Record<string, unknown> {
  return { 'the scale': scale.sha256, ...modelIdentity({ model, engine }), ...asking };
}

/** Throws `bad_argument` where answers of both would not be answers to the same questions. */
export function checkSameQuestionnaire(
  before: AdministerManifest,
  now: AdministerManifest,
  path: string,
): void {
  checkSameQuestions(identity(before), identity(now), path);
}
