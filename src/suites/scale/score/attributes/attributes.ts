/** What participants are sliced by: attributes as data, each made of a column of the participants' file. */

/** How the cells of a column become groups, or a number. */
export type Making =
  /** Each label is a group. */
  | { readonly kind: 'labels' }
  /** Labels that are groups, and an order from the least to the most. */
  | { readonly kind: 'order'; readonly labels: readonly string[] }
  /** Groups of several labels each. */
  | { readonly kind: 'groups'; readonly groups: Readonly<Record<string, readonly string[]>> }
  /** As many groups as there are names, of about as many participants each, by a number. */
  | { readonly kind: 'bins'; readonly names: readonly string[] }
  /** No groups: the number itself. */
  | { readonly kind: 'number' };

export interface Attribute {
  readonly name: string;
  /** Column of the participants' file. */
  readonly column: string;
  readonly making: Making;
}

export interface AttributeTable {
  /** Null for attributes that were named by their columns alone. */
  readonly name: string | null;
  /** Cells that say nothing, as an empty one does; spaces around them do not count. */
  readonly missing: readonly string[];
  readonly attributes: readonly Attribute[];
}

/** Does it form groups? */
export function hasGroups({ making }: Attribute): boolean {
  return making.kind !== 'number';
}

/** Does it have an order, so that errors can be correlated with it? */
export function hasOrder({ making }: Attribute): boolean {
  return making.kind === 'number' || making.kind === 'order';
}
