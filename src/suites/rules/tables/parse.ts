/** A YAML file of this room, held against its schema; every fault with its line. */
import { z } from 'zod';
import { invalidFile, readYaml } from '../../../catalog/index.ts';

/** Throws `experiment_invalid`. `kind` is what messages call the file. */
export function parseTableFile<T>(bytes: Uint8Array, file: string, kind: string, schema: z.ZodType<T>): T {
  const { value, faults, lineOf } = readYaml(bytes, file);
  if (faults.length > 0) throw invalidFile('experiment_invalid', kind, file, faults);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const placed = parsed.error.issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    const where = path.length === 0 ? 'the file' : path.join('.');
    return { file, path, line: lineOf(path), message: `${where}: ${tell(issue)}` };
  });
  throw invalidFile('experiment_invalid', kind, file, placed);
}

function tell(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  return `unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}; check its spelling, or leave it out`;
}

/** A name that may stand on a command line and in a folder's name, and holds no dash, by which names are joined. */
export const tableName = z.string().regex(/^[A-Za-z]\w*$/, 'is no name: give letters, digits and _');
