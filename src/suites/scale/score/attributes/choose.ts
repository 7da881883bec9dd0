/** Which attributes a run slices by. */
import { AuditError } from '../../../../errors.ts';
import type { Attribute, AttributeTable } from './attributes.ts';
import { DEFAULT_ATTRIBUTES, loadAttributes } from './load.ts';

export interface AttributeChoice {
  /** Name or path of an attributes file; the shipped one unless said. */
  readonly attributes?: string | undefined;
  /** Names of attributes or of columns, each of whose labels is then a group; all attributes that there are unless said. */
  readonly by?: readonly string[] | undefined;
}

export interface ChosenAttributes {
  readonly table: AttributeTable;
  readonly notes: readonly string[];
}

/**
 * The attributes that `columns`, those of the participants' file, can give. Of a file that was named, one whose column is not
 * there is reported. Throws `bad_argument` for a name in `by` that is neither attribute nor column, and what `loadAttributes` throws.
 */
export async function chooseAttributes(
  columns: readonly string[],
  { attributes, by }: AttributeChoice,
): Promise<ChosenAttributes> {
  const table = await loadAttributes(attributes ?? DEFAULT_ATTRIBUTES);
  const there = table.attributes.filter(({ column }) => columns.includes(column));
  if (by !== undefined) {
    const chosen = [...new Set(by)].map((name) => attributeOf(name, there, columns));
    return { table: { ...table, attributes: chosen }, notes: [] };
  }
  const absent = table.attributes.filter((attribute) => !there.includes(attribute));
  const notes =
    attributes === undefined
      ? []
      : absent.map(({ name, column }) => `the participants have no column "${column}": ${name} is left out`);
  return { table: { ...table, attributes: there }, notes };
}

function attributeOf(name: string, attributes: readonly Attribute[], columns: readonly string[]): Attribute {
  const declared = attributes.find((attribute) => attribute.name === name);
  if (declared !== undefined) return declared;
  if (columns.includes(name)) return { name, column: name, making: { kind: 'labels' } };
  const known = [...new Set([...attributes.map((attribute) => attribute.name), ...columns])];
  throw new AuditError(
    'bad_argument',
    `the participants have no "${name}" to slice by; there are: ${known.join(', ')}`,
    { name, known },
  );
}
