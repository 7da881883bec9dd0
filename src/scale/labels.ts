/** How labels are compared: without case, and without spaces around them. */

export function foldLabel(label: string): string {
  return label.trim().toLowerCase();
}

// What programs write into a cell that has nothing in it.
const NOTHING: ReadonlySet<string> = new Set(['', 'nan', 'none', 'null']);

/** Is it a label that says that there is none? */
export function isNoLabel(label: string): boolean {
  return NOTHING.has(foldLabel(label));
}
