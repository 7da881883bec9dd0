/**
 * A panel as a file: which suites, on which data, with which options. YAML, of which JSON is a part; paths are taken from
 * the folder of the file.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { AuditError } from '../errors.ts';
import { fileError } from '../file-error.ts';

const files = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

const part = z.strictObject({
  suite: z.string().min(1),
  name: z.string().min(1).exactOptional(),
  data: files,
  options: z.record(z.string(), z.unknown()).exactOptional(),
  lexicon: z.string().min(1).exactOptional(),
  groups: z.string().min(1).exactOptional(),
  occupations: z.string().min(1).exactOptional(),
  policy: z.enum(['first', 'skip']).exactOptional(),
  capitalised: z.boolean().exactOptional(),
  compat: z.enum(['reference']).exactOptional(),
  limit: z.int().min(1).exactOptional(),
});
const schema = z.strictObject({ parts: z.array(part).min(1) });

export type PanelFilePart = Omit<z.output<typeof part>, 'data'> & { readonly data: readonly string[] };

/** Throws `file_not_found`, `file_unreadable`, and `data_malformed` that names the key. */
export async function readPanelFile(file: string): Promise<readonly PanelFilePart[]> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw fileError(file, cause);
  });
  const document = parseDocument(text);
  if (document.errors[0]) {
    throw malformed(file, '', `is no valid YAML: ${document.errors[0].message.split('\n')[0]}`);
  }
  const parsed = schema.safeParse(document.toJS());
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw malformed(file, keyOf(issue.path), issue.message);
  }
  const folder = path.dirname(file);
  const found = (name: string) => path.resolve(folder, name);
  return parsed.data.parts.map(({ data, groups, occupations, ...rest }) => ({
    ...rest,
    data: (typeof data === 'string' ? [data] : data).map(found),
    ...(groups === undefined ? {} : { groups: found(groups) }),
    ...(occupations === undefined ? {} : { occupations: found(occupations) }),
  }));
}

/** `parts[1].suite` */
function keyOf(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>(
    (all, step) =>
      typeof step === 'number' ? `${all}[${step}]` : all === '' ? String(step) : `${all}.${String(step)}`,
    '',
  );
}

function malformed(file: string, key: string, message: string): AuditError {
  const subject = key === '' ? file : `${file}: ${key}`;
  const advice = 'a panel is "parts:", a list of {suite, data, name?, options?, lexicon?, limit?}';
  return new AuditError('data_malformed', `${subject}: ${message}; ${advice}`, { file, key });
}
