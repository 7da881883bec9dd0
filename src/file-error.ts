/** Faults of reading a file, told alike by every room that reads one. */
import { AuditError, toAuditError } from './errors.ts';

/** What the file system threw, as an error of ours: `file_not_found` or `file_unreadable`. */
export function fileError(path: string, cause: unknown): AuditError {
  const code = (cause as { code?: unknown }).code;
  if (cause instanceof AuditError || typeof code !== 'string') return toAuditError(cause);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AuditError(
      'file_not_found',
      `${path}: no such file; check the path`,
      { file: path },
      { cause },
    );
  }
  const message = `${path} cannot be read (${code}); check its permissions`;
  return new AuditError('file_unreadable', message, { file: path }, { cause });
}
