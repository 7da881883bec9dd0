/** What is shown of a thread beside its target: flags, joined by dashes. */
import { z } from 'zod';
import { AuditError } from '../../../errors.ts';
import { parseTableFile, tableName } from './parse.ts';

export interface ContextFlag {
  readonly description: string;
  /** Flags without which it has no meaning. */
  readonly needs: readonly string[];
}

/** By name, in the order of the table. */
export type ContextTable = ReadonlyMap<string, ContextFlag>;

/** Every flag of the table, and whether it is set. */
export type ContextFlags = Readonly<Record<string, boolean>>;

/** The flag that stands for no other. */
const NOTHING = 'none';

const schema = z.strictObject({
  flags: z.record(
    tableName,
    z.strictObject({ description: z.string().min(1), needs: z.array(tableName).default([]) }),
  ),
});

/** Throws `experiment_invalid`. */
export function parseContexts(bytes: Uint8Array, file: string): ContextTable {
  return new Map(Object.entries(parseTableFile(bytes, file, 'contexts', schema).flags));
}

/** Throws `bad_argument` that names the flags there are, for one that is none and for one without what it needs. */
export function parseContext(context: string, table: ContextTable): ContextFlags {
  const given = new Set(context.split('-'));
  const known = [NOTHING, ...table.keys()].join(', ');
  const fault = (message: string) => new AuditError('bad_argument', message, { key: 'context', context });
  for (const flag of given) {
    if (flag === NOTHING) continue;
    const needs = table.get(flag)?.needs;
    if (needs === undefined) {
      const what = flag === '' ? 'an empty flag' : `the flag ${JSON.stringify(flag)}, which there is not`;
      throw fault(`the context ${JSON.stringify(context)} has ${what}; join flags of ${known} by dashes`);
    }
    const missing = needs.find((needed) => !given.has(needed));
    if (missing !== undefined) {
      throw fault(
        `the context ${JSON.stringify(context)} has ${flag} without ${missing}; give ${missing}-${context}`,
      );
    }
  }
  return Object.fromEntries([...table.keys()].map((flag) => [flag, given.has(flag)]));
}
