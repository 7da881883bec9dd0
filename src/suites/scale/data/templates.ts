/**
 * The templates of a scale's file, and the names that each takes. They are programs of whoever wrote the file, so they are read
 * where they can be stopped, not in this process.
 */
import type { AuditError } from '../../../errors.ts';
import { TextHost } from '../../../prompt/index.ts';
import type { Personas } from './scale.ts';
import type { ScaleFile } from './schema.ts';

export interface ScaleTemplate {
  readonly path: readonly (string | number)[];
  readonly source: string;
}

/** What a template takes from outside, or why it cannot be parsed, by its place. */
export type ReadTemplates = ReadonlyMap<string, readonly string[] | AuditError>;

/** The place as messages have it. */
export function placeOf(path: ScaleTemplate['path']): string {
  return path.join('.');
}

/** In the order of the file. */
export function templatesOf({
  system,
  ask,
  parts,
}: Pick<Personas, 'system' | 'ask' | 'parts'>): ScaleTemplate[] {
  return [
    { path: ['personas', 'system'], source: system },
    { path: ['personas', 'ask'], source: ask },
    ...Object.entries(parts).flatMap(([part, sentences]) =>
      sentences.map((source, index) => ({ path: ['personas', 'parts', part, index], source })),
    ),
  ];
}

export async function readTemplates({ personas }: ScaleFile): Promise<ReadTemplates> {
  if (personas === undefined) return new Map();
  const templates = templatesOf(personas).map(({ path, source }) => ({ name: placeOf(path), source }));
  const host = new TextHost(templates);
  try {
    const read = await host.names();
    return new Map(templates.map(({ name }, index) => [name, read[index]!]));
  } finally {
    await host.close();
  }
}
