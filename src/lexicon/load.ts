/**
 * Where lexicons come from: those shipped with the package go by name, anything else is a path to a YAML or JSON file.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AuditError } from '../errors.ts';
import type { Lexicon } from './lexicon.ts';
import { parseLexicon } from './parse.ts';

// src/lexicon/ and dist/lexicon/ lie equally deep, so one relative address serves both.
const SHIPPED = fileURLToPath(new URL('../../assets/lexicons/', import.meta.url));
const EXTENSION = '.yaml';
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Names of the lexicons that come with the package, sorted. */
export async function shippedLexicons(): Promise<string[]> {
  const files = await readdir(SHIPPED);
  return files
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

/** Is it the name of a shipped lexicon, rather than a path? Whether there is one of that name is another matter. */
export function isShippedName(nameOrPath: string): boolean {
  return NAME.test(nameOrPath);
}

/**
 * Loads a lexicon: a bare name (`gender-en`) is one that is shipped, anything with a dot or a slash a path.
 * Errors: `file_not_found`, `file_unreadable`, `lexicon_invalid`.
 */
export async function loadLexicon(nameOrPath: string): Promise<Lexicon> {
  const shipped = isShippedName(nameOrPath);
  const file = shipped ? join(SHIPPED, nameOrPath + EXTENSION) : nameOrPath;
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    throw await unread(nameOrPath, shipped, cause);
  }
  return parseLexicon(bytes, nameOrPath);
}

async function unread(nameOrPath: string, shipped: boolean, cause: unknown): Promise<AuditError> {
  const code = (cause as { code?: unknown }).code;
  const data = { file: nameOrPath };
  if (shipped && code === 'ENOENT') {
    const names = (await shippedLexicons()).join(', ');
    const message = `no lexicon is called "${nameOrPath}"; shipped are: ${names}. For a file of your own give its path (./${nameOrPath}.yaml)`;
    return new AuditError('file_not_found', message, data, { cause });
  }
  if (code === 'ENOENT') {
    return new AuditError('file_not_found', `lexicon ${nameOrPath}: no such file; check the path`, data, {
      cause,
    });
  }
  const why = code === 'EISDIR' ? 'it is a folder' : String(code ?? cause);
  const message = `lexicon ${nameOrPath}: cannot be read (${why}); give a readable YAML or JSON file`;
  return new AuditError('file_unreadable', message, data, { cause });
}
