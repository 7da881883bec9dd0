/** Numbers and JSON as Python writes them, for files that are to equal those of a program in Python. */

/** A float64 as Python prints it: the shortest digits that read back, with a point, an exponent below 1e-4. */
export function pythonFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** A tree of objects, lists, text and floats. */
export type FloatTree = number | string | readonly FloatTree[] | { readonly [key: string]: FloatTree };

/** JSON as Python indents it; every number is a float. */
export function pythonJson(value: FloatTree, indent: number, level = 0): string {
  if (typeof value === 'number') return pythonFloat(value);
  if (typeof value === 'string') return JSON.stringify(value);
  const [open, close, items] = isList(value)
    ? ['[', ']', value.map((item) => pythonJson(item, indent, level + 1))]
    : [
        '{',
        '}',
        Object.entries(value).map(
          ([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item, indent, level + 1)}`,
        ),
      ];
  if (items.length === 0) return open + close;
  const inner = ' '.repeat(indent * (level + 1));
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${' '.repeat(indent * level)}${close}`;
}

function isList(value: FloatTree): value is readonly FloatTree[] {
  return Array.isArray(value);
}
