/** Counts and names as notes tell them. */

const SHOWN_NAMES = 5;

/** "1 row", "2 rows". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first few of many names. */
export function some(names: Iterable<string>): string {
  const all = [...names];
  const more = all.length - SHOWN_NAMES;
  return all.slice(0, SHOWN_NAMES).join(', ') + (more > 0 ? `, and ${more} more` : '');
}
