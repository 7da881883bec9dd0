/** Edits of a lexicon file that keep what is not edited. */
import { isMap, isScalar, type Node } from 'yaml';
import { YamlEditor } from '../catalog/index.ts';

export class LexiconEditor extends YamlEditor {
  /** `text` must be a valid lexicon; `file` is what messages call it. Its methods throw `lexicon_invalid`. */
  constructor(text: string, file: string) {
    super(text, { kind: 'lexicon', file, code: 'lexicon_invalid' });
  }

  setText(key: 'name' | 'language' | 'description' | 'source', value: string): void {
    this.document.set(key, value);
  }

  /** Adds words to a group; one that is not there is made. */
  addWords(group: string, words: readonly string[]): void {
    const groups = this.map(['groups']);
    if (!groups.has(group)) groups.set(this.document.createNode(group), this.document.createNode([]));
    const list = this.list(['groups', group]);
    for (const word of words) list.add(this.document.createNode(word));
  }

  removeGroup(group: string): void {
    this.map(['groups']).delete(group);
  }

  /** Removes the entry at `index` of a list; comments above it stay, since they may be about those below. */
  removeAt(path: readonly (string | number)[], index: number): void {
    const list = this.list(path);
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

  /** Takes a word out of the rules of the swap that name words of groups; the lists that had it. */
  forgetInSwap(word: string): string[] {
    return ['oneWay', 'otherwise'].flatMap((key) => {
      if (!this.document.hasIn(['swap', key])) return [];
      const { items } = this.list(['swap', key]);
      const found = items.flatMap((item, index) => {
        const spelt = isMap(item) ? item.get('word') : isScalar(item) ? item.value : null;
        return spelt === word ? [index] : [];
      });
      for (const index of found.reverse()) this.removeAt(['swap', key], index);
      return found.length > 0 ? [`swap.${key}`] : [];
    });
  }

  addPair(pair: Readonly<Record<string, string>>): void {
    if (!this.document.has('pairs')) this.document.set('pairs', this.document.createNode([]));
    const node = this.document.createNode(pair, { flow: true });
    const list = this.list(['pairs']);
    if (list.items.length === 0) list.flow = false;
    list.add(node);
  }
}

function join(above: string, below: string | null | undefined): string {
  return below ? `${above}\n${below}` : above;
}
