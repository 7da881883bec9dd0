/** Edits of a scale file that keep what is not edited. */
import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { YamlEditor } from '../../../catalog/index.ts';
import { AuditError } from '../../../errors.ts';

type Path = readonly (string | number)[];

export class ScaleEditor extends YamlEditor {
  readonly #file: string;

  /** `text` must be valid YAML; `file` is what messages call it. */
  constructor(text: string, file: string) {
    super(text, { kind: 'scale', file, code: 'scale_invalid' });
    this.#file = file;
  }

  /**
   * Puts a value where `key` says: names between dots, where an entry of a list goes by its `name` or its place from 0
   * (`bands.low.upTo`, `responses.0.labels`). Throws `bad_argument` for a place that there cannot be.
   */
  set(key: string, value: unknown): void {
    const path = this.#resolve(key);
    const there = this.document.getIn(path, true);
    // A value that takes the place of another one keeps the comment beside it.
    if (isScalar(there) && (typeof value !== 'object' || value === null)) there.value = value;
    else this.document.setIn(path, this.document.createNode(value));
  }

  /** Takes out what `key` names. Throws `bad_argument` for what is not there. */
  unset(key: string): void {
    if (!this.document.deleteIn(this.#resolve(key))) throw this.#bad(key, 'is not there');
  }

  #resolve(key: string): Path {
    const steps = key.split('.');
    if (steps.some((step) => step === '')) throw this.#bad(key, 'has an empty part between its dots');
    const path: (string | number)[] = [];
    let node = this.document.contents as unknown;
    for (const [depth, step] of steps.entries()) {
      const at: string | number = isSeq(node) ? this.#indexOf(node.items as Node[], step, key) : step;
      path.push(at);
      if (isMap(node) || isSeq(node)) node = node.get(at as never, true);
      else if (node !== undefined && node !== null) {
        const what = isAlias(node) ? `the alias *${node.source}` : 'a single value';
        throw this.#bad(key, `goes through ${steps.slice(0, depth).join('.')}, which is ${what}`);
      }
    }
    return path;
  }

  /** The place right behind the last entry is one too: a value there is added. */
  #indexOf(items: readonly Node[], step: string, key: string): number {
    const named = items.findIndex((item) => isMap(item) && item.get('name') === step);
    if (named !== -1) return named;
    const index = Number(step);
    if (/^\d+$/.test(step) && index <= items.length) return index;
    const names = items.flatMap((item) =>
      isMap(item) && item.has('name') ? [String(item.get('name'))] : [],
    );
    const there = names.length === 0 ? `places 0 to ${items.length}` : `entries ${names.join(', ')}`;
    throw this.#bad(key, `names the entry ${step} of a list with the ${there}`);
  }

  #bad(key: string, why: string): AuditError {
    return new AuditError('bad_argument', `scale ${this.#file}: ${key} ${why}`, { file: this.#file, key });
  }
}
