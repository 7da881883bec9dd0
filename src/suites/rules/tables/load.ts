/** The tables of this room: the shipped ones, with what the user's own folder adds to them. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileError } from '../../../files/file-error.ts';
import { parseTemplate, type Template } from '../prompt/template.ts';
import { type ContextTable, parseContexts } from './contexts.ts';
import { type PhraseTable, parsePhrases } from './phrases.ts';

// src/ and dist/ lie equally deep, so one relative address serves both.
const SHIPPED = fileURLToPath(new URL('../../../../assets/rules/', import.meta.url));
/** Where the user's own tables are, in the working folder. */
export const OWN_TABLES = 'rules';

/** Contexts, phrases and the template of questions. */
export interface RulesTables {
  readonly contexts: ContextTable;
  readonly phrases: PhraseTable;
  readonly template: Template;
  /** Over the bytes of all files that were read: what prompts were made with is known again by it. */
  readonly sha256: string;
}

interface ReadFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

async function readOwn(folder: string, name: string): Promise<ReadFile | null> {
  const file = path.join(folder, name);
  try {
    return { file, bytes: await readFile(file) };
  } catch (cause) {
    const error = fileError(file, cause);
    if (error.code === 'file_not_found') return null;
    throw error;
  }
}

async function readBoth(folder: string, name: string): Promise<ReadFile[]> {
  const shipped = { file: name, bytes: await readFile(path.join(SHIPPED, name)) };
  const own = await readOwn(folder, name);
  return own === null ? [shipped] : [shipped, own];
}

/**
 * Reads contexts.yaml, phrases.yaml and template.yaml. Rows of the user's own are added to the shipped ones, or stand in
 * their place where the name is the same; a template of the user's own is used instead of the shipped one. Throws
 * `experiment_invalid`, with the line of every fault, and `file_unreadable`.
 */
export async function loadRulesTables(folder = OWN_TABLES): Promise<RulesTables> {
  const [contextFiles, phraseFiles, templateFiles] = await Promise.all(
    ['contexts.yaml', 'phrases.yaml', 'template.yaml'].map((name) => readBoth(folder, name)),
  );
  const contexts: ContextTable = new Map(
    contextFiles!.flatMap(({ bytes, file }) => [...parseContexts(bytes, file)]),
  );
  const phrases: PhraseTable = new Map(
    phraseFiles!.flatMap(({ bytes, file }) => [...parsePhrases(bytes, file)]),
  );
  const used = templateFiles!.at(-1)!;
  const template = parseTemplate(used.bytes, used.file, contexts.keys());
  const hash = createHash('sha256');
  for (const { bytes } of [...contextFiles!, ...phraseFiles!, used]) hash.update(bytes);
  return { contexts, phrases, template, sha256: hash.digest('hex') };
}
