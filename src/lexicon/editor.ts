/**
 * Edits of a lexicon file that keep what is not edited: order, comments, blank lines. It works on the YAML document,
 * not on its values, and knows nothing of what a lexicon must be: the result is read anew and checked by its caller.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { AuditError } from '../errors.ts';

// The width at which folded text and lists in brackets are broken.
const LINE_WIDTH = 120;

export class LexiconEditor {
  readonly #document: Document;
  readonly #crlf: boolean;
  readonly #file: string;

  /** `text` must be a valid lexicon; `file` is what messages call it. */
  constructor(text: string, file: string) {
    this.#crlf = text.includes('\r\n');
    this.#document = parseDocument(text.replace(/\r\n/g, '\n'));
    this.#file = file;
  }

  setText(key: 'name' | 'language' | 'description' | 'source', value: string): void {
    this.#document.set(key, value);
  }

  /** Adds words to a group; one that is not there is made. */
  addWords(group: string, words: readonly string[]): void {
    const groups = this.#map(['groups']);
    if (!groups.has(group)) groups.set(this.#document.createNode(group), this.#document.createNode([]));
    const list = this.#list(['groups', group]);
    for (const word of words) list.add(this.#document.createNode(word));
  }

  removeGroup(group: string): void {
    this.#map(['groups']).delete(group);
  }

  /** Removes the entry at `index` of a list; comments above it stay, since they may be about those below. */
  removeAt(path: readonly (string | number)[], index: number): void {
    const list = this.#list(path);
    const [removed] = list.items.splice(index, 1) as [Node | undefined];
    const above = removed?.commentBefore;
    const next = list.items[index] as Node | undefined;
    if (next === undefined) {
      if (above) list.comment = join(above, list.comment);
      return;
    }
    if (above) next.commentBefore = join(above, next.commentBefore);
    // What follows the last entry above the removed one keeps its blank line.
    if (removed?.spaceBefore) next.spaceBefore = true;
  }

  addPair(pair: Readonly<Record<string, string>>): void {
    if (!this.#document.has('pairs')) this.#document.set('pairs', this.#document.createNode([]));
    const node = this.#document.createNode(pair, { flow: true });
    const list = this.#list(['pairs']);
    if (list.items.length === 0) list.flow = false;
    list.add(node);
  }

  /** The text of the file. Throws `lexicon_invalid` where an alias stands for what was removed. */
  toString(): string {
    let text: string;
    try {
      text = this.#document.toString({ lineWidth: LINE_WIDTH });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `lexicon ${this.#file}: the change cannot be written (${why}); edit the file by hand`;
      throw new AuditError('lexicon_invalid', message, { file: this.#file }, { cause });
    }
    return this.#crlf ? text.replace(/\n/g, '\r\n') : text;
  }

  #map(path: readonly (string | number)[]): YAMLMap {
    const node = this.#document.getIn(path, true);
    if (isMap(node)) return node;
    throw this.#unwritable(path, node);
  }

  #list(path: readonly (string | number)[]): YAMLSeq {
    const node = this.#document.getIn(path, true);
    if (isSeq(node)) return node;
    throw this.#unwritable(path, node);
  }

  /** A valid lexicon has lists and maps where they are asked for, or aliases of them. */
  #unwritable(path: readonly (string | number)[], node: unknown): AuditError {
    const what = isAlias(node) ? `the alias *${node.source}` : isScalar(node) ? 'a single value' : 'missing';
    const message = `lexicon ${this.#file}: ${path.join('.')} is ${what}, which cannot be edited by command; edit the file by hand`;
    return new AuditError('lexicon_invalid', message, { file: this.#file, key: path.join('.') });
  }
}

function join(above: string, below: string | null | undefined): string {
  return below ? `${above}\n${below}` : above;
}
