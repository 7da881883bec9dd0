/** Edits of a table of experiments that keep what is not edited. */
import { YamlEditor } from '../../../catalog/index.ts';
import type { AxisValues } from './axes.ts';
import { AXES, AXIS_KEYS, type Axis } from './axes.ts';
import { DESCRIPTION_KEY, ROWS_KEY } from './parse.ts';

/** What a table of the user's begins with. */
export const NEW_TABLE = `# Experiments of your own. A row of a shipped name is used instead of the shipped one; a key that is left out has
# its default. "logit-audit experiment --help" lists the keys.
${ROWS_KEY}: {}
`;

export class TableEditor extends YamlEditor {
  /** `text` must be a table; `file` is what messages call it. Its methods throw `experiment_invalid`. */
  constructor(text: string, file: string) {
    super(text, { kind: 'experiments in', file, code: 'experiment_invalid' });
  }

  /** Adds a row with every key, but those that are optional and false. */
  addRow(name: string, values: AxisValues, description: string | null): void {
    const rows = this.map([ROWS_KEY]);
    const keys = AXIS_KEYS.filter((key) => {
      const axis: Axis = AXES[key];
      return !(axis.kind === 'flag' && axis.optional && values[key] === false);
    });
    const row = {
      ...(description === null ? {} : { [DESCRIPTION_KEY]: description }),
      ...Object.fromEntries(keys.map((key) => [key, values[key]])),
    };
    if (rows.items.length === 0) rows.flow = false;
    const node = this.document.createNode(name);
    if (rows.items.length > 0) node.spaceBefore = true;
    rows.add(this.document.createPair(node, row));
  }

  setKey(name: string, key: string, value: string | boolean): void {
    this.map([ROWS_KEY, name]).set(key, value);
  }

  removeRow(name: string): void {
    this.map([ROWS_KEY]).delete(name);
  }
}
