/** What a row's result and its identity are made of. */

/** A JSON value: what a row result is made of, so that the journal holds it as it is. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Fields = { readonly [key: string]: Json };

/** Who a row is, for the journal and the slices. An absent slice value is null. */
export interface RowIdentity {
  readonly id: string;
  readonly slices: Readonly<Record<string, string | null>>;
  /**
   * The clusters that the row is in, by what they are (`template`, `occupation`): one name, or two that cross. Every row of a suite has
   * the same names; a row of null is a cluster of its own there. Left out: the row is its own cluster.
   */
  readonly clusters?: Readonly<Record<string, string | null>>;
}
