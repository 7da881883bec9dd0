/** A mapping of token ids that were given: nothing is tokenized, the rest of a run sees no difference. */
import { AuditError } from '../errors.ts';
import { findCollisions } from './collisions.ts';
import { type LexiconMapping, type TokenSource, toMapping } from './map.ts';
import { findOutside, type TokenGroupsFile } from './token-groups.ts';

/**
 * The mapping that a groups file stands for: its groups, without words, under the policy `ids`; `lexicon` names the
 * file and the SHA-256 of its bytes. An id of several groups counts in none and is listed. Errors: `out_of_range`
 * naming file and key; `lexicon_unmapped` when a group is left without any id.
 */
export async function mappingFromIds(
  { file, sha256, groups }: TokenGroupsFile,
  tokenizer: Pick<TokenSource, 'vocabSize' | 'pieces'>,
): Promise<LexiconMapping> {
  const { vocabSize } = tokenizer;
  const outside = findOutside(groups, vocabSize);
  if (outside !== null) {
    const { key, id } = outside;
    const message = `${file}: ${key} is ${id}, but the model has ${vocabSize} tokens; ids go from 0 to ${vocabSize - 1}`;
    throw new AuditError('out_of_range', message, { file, key, id });
  }
  const uses = groups.flatMap(({ name, ids }) => Array.from(ids, (id) => ({ id, group: name })));
  const shared = findCollisions(uses);
  const pieces = await tokenizer.pieces(shared.map(({ id }) => id));
  const sharedIds = new Set(shared.map(({ id }) => id));
  const own = groups.map(({ name, ids }) => ({
    name,
    ids: ids.filter((id) => !sharedIds.has(id)).sort(),
    words: [],
  }));
  const empty = own.find(({ ids }) => ids.length === 0);
  if (empty !== undefined) {
    const message = `${file}: every id of group "${empty.name}" is in another group too, and such ids count in none; give each group ids of its own`;
    throw new AuditError('lexicon_unmapped', message, { file, group: empty.name });
  }
  const collisions = shared.map((collision, index) => ({ ...collision, piece: pieces[index]! }));
  return toMapping(
    { lexicon: { name: file, sha256 }, policy: 'ids', capitalised: false, sharedIds: 'none' },
    own,
    collisions,
  );
}
