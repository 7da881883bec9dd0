/** Faults of reading a file, the same in every room that reads one. */
import { AuditError, toAuditError } from '../errors.ts';

/** What the file system threw, as an error of ours: `file_not_found` or `file_unreadable`. */
export function fileError(path: string, cause: unknown): AuditError {
  const code = (cause as { code?: unknown }).code;
  if (cause instanceof AuditError || typeof code !== 'string') return toAuditError(cause);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AuditError(
      'file_not_found',
      `${path}: no such file; ${adviceFor(path)}`,
      { file: path },
      { cause },
    );
  }
  const message = `${path} cannot be read (${code}); check its permissions`;
  return new AuditError('file_unreadable', message, { file: path }, { cause });
}

const HUB_ID = /^[\w-][\w.-]*\/[\w.-]+$/;
const FILE_NAME = /\.(?:gguf|jsonl?|ndjson|csv|tsv|txt|ya?ml|npy|bin)(?:\.\w+)?$/i;
const ADDRESS = /^(?:https?|hf|s3|gs):\/\//i;

/** Does it name something that a web server has? */
export function isWebAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Is it an address, or by its form the id of something on a hub, rather than a path? */
export function isElsewhere(path: string): boolean {
  return ADDRESS.test(path) || (HUB_ID.test(path) && !FILE_NAME.test(path));
}

/** Nothing is fetched from anywhere: an id or an address where a path is expected says so. */
function adviceFor(path: string): string {
  const fetch =
    'download it first (a model as a GGUF file, data as CSV, JSON Lines or JSON) and give its path';
  if (ADDRESS.test(path)) return `it is an address, and nothing is downloaded here: ${fetch}`;
  if (isElsewhere(path)) {
    return `if it is the id of a model or data set on a hub, nothing is downloaded here: ${fetch}`;
  }
  return 'check the path';
}
