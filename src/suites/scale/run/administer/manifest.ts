/** manifest.json of a questionnaire that a model answered itself, and what of it must be the same where it is resumed. */
import { z } from 'zod';
import { readJsonFileIfThere } from '../../../../files/json-file.ts';
import type { AdministerAsking } from '../../ask/index.ts';
import { type AskedManifest, checkSameQuestions, modelIdentity } from '../manifest.ts';

/** With scale and model, all that an answer depends on. */
export interface AdministerDescription extends AdministerAsking {
  readonly subscales: readonly string[];
  readonly orders: number;
  readonly seed: number;
  readonly inContext: boolean;
  readonly system: string;
}

export interface AdministerManifest extends AskedManifest {
  readonly suite: 'administer';
  readonly asking: AdministerDescription;
  /** Of the intervals. */
  readonly level: number;
  readonly counts: { readonly cases: number; readonly ok: number; readonly failed: number } | null;
}

const schema = z.looseObject({ suite: z.literal('administer') });

/** Null where the file is missing. Throws `file_unreadable`, and `data_malformed` for the manifest of another run. */
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
