/**
 * Edits of a YAML file that keep what is not edited: order, comments, blank lines, line endings. It works on the
 * document, not on its values, and knows nothing of what the file must be: the result is read anew and checked by its
 * caller.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { AuditError, type ErrorCode } from '../errors.ts';

// The width at which folded text and lists in brackets are broken.
export const LINE_WIDTH = 120;

/** What messages call the file, and the code of an edit that cannot be made. */
export interface EditedFile {
  readonly kind: string;
  readonly file: string;
  readonly code: ErrorCode;
}

export class YamlEditor {
  protected readonly document: Document;
  readonly #crlf: boolean;
  readonly #edited: EditedFile;

  /** `text` must be valid YAML. */
  constructor(text: string, edited: EditedFile) {
    this.#crlf = text.includes('\r\n');
    this.document = parseDocument(text.replace(/\r\n/g, '\n'));
    this.#edited = edited;
  }

  /** The text of the file. Throws where an alias stands for what was removed. */
  toString(): string {
    let text: string;
    try {
      text = this.document.toString({ lineWidth: LINE_WIDTH });
    } catch (cause) {
      const { kind, file, code } = this.#edited;
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `${kind} ${file}: the change cannot be written (${why}); edit the file by hand`;
      throw new AuditError(code, message, { file }, { cause });
    }
    return this.#crlf ? text.replace(/\n/g, '\r\n') : text;
  }

  protected map(path: readonly (string | number)[]): YAMLMap {
    const node = this.document.getIn(path, true);
    if (isMap(node)) return node;
    throw this.#unwritable(path, node);
  }

  protected list(path: readonly (string | number)[]): YAMLSeq {
    const node = this.document.getIn(path, true);
    if (isSeq(node)) return node;
    throw this.#unwritable(path, node);
  }

  /** A valid file has lists and maps where they are asked for, or aliases of them. */
  #unwritable(path: readonly (string | number)[], node: unknown): AuditError {
    const { kind, file, code } = this.#edited;
    const key = path.join('.');
    const what = isAlias(node) ? `the alias *${node.source}` : isScalar(node) ? 'a single value' : 'missing';
    const message = `${kind} ${file}: ${key} is ${what}, which cannot be edited by command; edit the file by hand`;
    return new AuditError(code, message, { file, key });
  }
}
