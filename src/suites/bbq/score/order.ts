/** The order of names in tables. */

/** Runs of digits by their number, the rest by lower-case code units; names that are equal so by their code units. */
export function naturalOrder(a: string, b: string): number {
  const left = pieces(a);
  const right = pieces(b);
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = at % 2 === 1 ? compareDigits(left[at]!, right[at]!) : compare(left[at]!, right[at]!);
    if (order !== 0) return order;
  }
  return left.length - right.length || compare(a, b);
}

/** Text and digits in turn, beginning with text that may be empty. */
function pieces(name: string): string[] {
  return name.toLowerCase().split(/(\d+)/);
}

function compareDigits(a: string, b: string): number {
  const [left, right] = [a, b].map((digits) => digits.replace(/^0+/, '')) as [string, string];
  return left.length - right.length || compare(left, right);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
