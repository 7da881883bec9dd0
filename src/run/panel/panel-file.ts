/**
 * A panel as a file: which suites, on which data, with which options. YAML, of which JSON is a part; paths are taken from
 * the folder of the file.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { describeIssue } from '../../dataset/index.ts';
import { AuditError } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';
import { lexiconFrom, MULTI_TOKEN_POLICIES } from '../../lexicon/index.ts';

const text = z.string().min(1);
const FILES = 'give a file, or a list of files';

const part = z.strictObject({
  suite: text,
  name: text.exactOptional(),
  data: z.union([text, z.array(text).min(1, FILES)], FILES),
  options: z.record(z.string(), z.unknown()).exactOptional(),
  lexicon: text.exactOptional(),
  groups: text.exactOptional(),
  occupations: text.exactOptional(),
  policy: z.enum(MULTI_TOKEN_POLICIES).exactOptional(),
  capitalised: z.boolean().exactOptional(),
  compat: z.enum(['reference']).exactOptional(),
  limit: z.int().min(1, 'give a whole number from 1').exactOptional(),
  sample: z.int().min(1, 'give a whole number from 1').exactOptional(),
});
const schema = z.strictObject({ parts: z.array(part).min(1, 'give at least one part') });

export type PanelFilePart = Omit<z.output<typeof part>, 'data'> & { readonly data: readonly string[] };

const SHAPE = 'a panel is "parts:", a list of {suite, data, name?, options?, lexicon?, limit?, sample?}';

/** Reads the parts of a panel file. Throws `file_not_found`, `file_unreadable`, and `data_malformed` that names the key. */
export async function readPanelFile(file: string): Promise<readonly PanelFilePart[]> {
  const bytes = await readFile(file, 'utf8').catch((cause) => {
    throw fileError(file, cause);
  });
  const value = parseYaml(file, bytes);
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const { key, message } = describeIssue(parsed.error.issues[0]!, value, 'the file');
    // Where one key is wrong its own message says enough.
    const advice = key === '' || key === 'parts' ? `; ${SHAPE}` : '';
    throw new AuditError('data_malformed', `${file}: ${message}${advice}`, { file, key });
  }
  const folder = path.dirname(file);
  const found = (name: string) => (path.isAbsolute(name) ? name : path.join(folder, name));
  return parsed.data.parts.map(({ data, lexicon, groups, occupations, ...rest }) => ({
    ...rest,
    data: (typeof data === 'string' ? [data] : data).map(found),
    ...(lexicon === undefined ? {} : { lexicon: lexiconFrom(folder, lexicon) }),
    ...(groups === undefined ? {} : { groups: found(groups) }),
    ...(occupations === undefined ? {} : { occupations: found(occupations) }),
  }));
}

function parseYaml(file: string, source: string): unknown {
  const document = parseDocument(source);
  try {
    if (document.errors[0]) throw document.errors[0];
    // Aliases are looked up only here.
    return document.toJS();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause);
    const message = `${file} is no valid YAML: ${why.replace(/:$/, '')}`;
    throw new AuditError('data_malformed', message, { file }, { cause });
  }
}
