/** How labels are compared: without case, and without spaces around them. */

export function foldLabel(label: string): string {
  return label.trim().toLowerCase();
}

/** What programs write where there is no label, case apart. */
export const NO_LABELS = ['', 'nan', 'none', 'null'] as const;

const NOTHING: ReadonlySet<string> = new Set(NO_LABELS);

/** Is it a label that says that there is none? */
export function isNoLabel(label: string): boolean {
  return NOTHING.has(foldLabel(label));
}
