/** Groups of token ids as large as those of a lexicon, spread over the vocabulary. */

const GROUPS = 3;
const IDS_A_GROUP = 100;

export function someGroups(vocab: number): Int32Array[] {
  return Array.from({ length: GROUPS }, (_, group) =>
    Int32Array.from({ length: IDS_A_GROUP }, (_, i) => ((group * IDS_A_GROUP + i) * 7919) % vocab),
  );
}
