/** What an evaluation was made of: the file by which the next stage knows it, and people too. */
import { z } from 'zod';
import { AuditError } from '../../../errors.ts';
import { readJsonFile } from '../../../files/json-file.ts';
import type { AttributeTable } from './attributes/index.ts';
import type { Status } from './merge.ts';
import type { Study } from './sides.ts';

/** What evaluating found beside the rows. */
export interface Evaluation {
  readonly rows: number;
  readonly statuses: Readonly<Record<Status, number>>;
  /** Bands that models named and that contradict their own scores. */
  readonly disagreeing: number;
  readonly notes: readonly string[];
}

const VERSION = 1;

const list = z.array(z.string());
const making = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('labels') }),
  z.object({ kind: z.literal('order'), labels: list }),
  z.object({ kind: z.literal('groups'), groups: z.record(z.string(), list) }),
  z.object({ kind: z.literal('bins'), names: list }),
  z.object({ kind: z.literal('number') }),
]);

const schema = z.object({
  version: z.literal(VERSION),
  scale: z.object({ name: z.string(), sha256: z.string() }),
  subscales: list,
  compat: z.boolean(),
  attributes: z.object({
    name: z.string().nullable(),
    missing: list,
    attributes: z.array(z.object({ name: z.string(), column: z.string(), making })),
  }),
});

export type Manifest = z.infer<typeof schema>;

/** The manifest of an evaluation, with what it found. */
export function manifestOf(
  { scale, sides }: Study,
  table: AttributeTable,
  { compat, ...found }: Evaluation & { readonly compat: boolean },
): unknown {
  const { name, sha256 } = scale;
  return {
    version: VERSION,
    scale: { name, sha256 },
    subscales: sides.map((side) => side.name),
    compat,
    attributes: table,
    ...found,
  };
}

/**
 * Reads the manifest of an evaluation by `scale`. Errors: `file_not_found`, `file_unreadable`; `data_malformed` for what is no
 * manifest, `bad_argument` where another scale, or another version of it, was evaluated.
 */
export async function readManifest(file: string, scale: Study['scale']): Promise<Manifest> {
  const remedy = 'it is no manifest of an evaluation; give the folder that "evaluate scale" wrote';
  const manifest = await readJsonFile(file, schema, remedy);
  const { name, sha256 } = manifest.scale;
  if (name === scale.name && sha256 === scale.sha256) return manifest;
  const message = `${file} is of the scale ${name} (sha256 ${sha256.slice(0, 12)}), not of ${scale.name} (${scale.sha256.slice(0, 12)}); evaluate again, or give that scale`;
  throw new AuditError('bad_argument', message, { file, scale: name });
}
