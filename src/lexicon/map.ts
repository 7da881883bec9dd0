/**
 * Words to token ids. A word is tokenized in each of its surface forms (w, " w", and both capitalised); what came of
 * each form is kept, down to the pieces, because the mapping is written with every run and is the only way to see
 * what a group's mass is the mass of.
 *
 * A form of several tokens is represented by its first piece (policy `first`, the default: it is the rule of the
 * metric's own definition) or not at all (`skip`, for those who want whole words only). A first piece that is a bare
 * space or a part of a character says nothing of the word and is dropped under either policy. One that a word of
 * another group begins with too falls under the rule for collisions: it counts in neither.
 */
import { AuditError } from '../errors.ts';
import { type Collision, findCollisions, type Use } from './collisions.ts';
import type { Lexicon } from './lexicon.ts';
import { capitalise } from './words.ts';

/** What the mapping needs of a tokenizer: each is asked once, for everything. Ids lie in [0, vocabSize). */
export interface TokenSource {
  readonly vocabSize: number;
  tokenizeAll(texts: readonly string[], options?: { bos?: boolean }): Promise<Int32Array[]>;
  pieces(tokens: ArrayLike<number>): Promise<string[]>;
}

export type MultiTokenPolicy = 'first' | 'skip';

/**
 * Why a form gave no id: it is several tokens and the policy is `skip`; its id is in two groups; it has no tokens; its
 * (first) piece is nothing but space; its (first) piece is a part of a character.
 */
export type DropReason = 'multiple_tokens' | 'collision' | 'empty' | 'blank_piece' | 'partial_character';

export interface MappedForm {
  readonly form: string;
  readonly tokens: readonly number[];
  readonly pieces: readonly string[];
  readonly id: number | null;
  readonly dropped?: DropReason;
}

export interface MappedWord {
  readonly word: string;
  readonly forms: readonly MappedForm[];
}

export interface MappedGroup<Ids> {
  readonly name: string;
  /** Sorted, each once. */
  readonly ids: Ids;
  readonly words: readonly MappedWord[];
}

interface MappingHead {
  /** Under the policy `ids` the file that the ids were given in. */
  readonly lexicon: { readonly name: string; readonly sha256: string };
  /** `ids`: the ids were given, and the groups have no words. */
  readonly policy: MultiTokenPolicy | 'ids';
  readonly capitalised: boolean;
  /** In how many of its groups an id counts that several groups lead to. */
  readonly sharedIds: SharedIds;
}

/** `none`, or, as in the reference project, `each`. */
export type SharedIds = 'none' | 'each';

interface Mapping<Ids> extends MappingHead {
  readonly groups: readonly MappedGroup<Ids>[];
  readonly collisions: readonly Collision[];
}

/** The mapping as it is written to disk. */
export type LexiconMappingJson = Mapping<number[]>;

export interface LexiconMapping extends Mapping<Int32Array> {
  /** JSON.stringify calls this: typed arrays would come out as objects. */
  toJSON(): LexiconMappingJson;
}

export interface MapOptions {
  /** What a form of several tokens counts as; `first` unless said. */
  readonly policy?: MultiTokenPolicy;
  /** Also map the capitalised forms; true unless said. */
  readonly capitalised?: boolean;
  /** What becomes of an id that several groups lead to; `none` unless said. */
  readonly sharedIds?: SharedIds;
}

/**
 * Maps every word of every group to token ids of `tokenizer`.
 * Errors: `lexicon_unmapped` when a group is left without any id; `out_of_range` when the tokenizer gives an id
 * outside its vocabulary.
 */
export async function mapLexicon(
  lexicon: Pick<Lexicon, 'name' | 'sha256' | 'groups'>,
  tokenizer: TokenSource,
  options: MapOptions = {},
): Promise<LexiconMapping> {
  const mapping = await traceLexicon(lexicon, tokenizer, options);
  checkMapped(mapping);
  return mapping;
}

/** What {@link mapLexicon} gives, for those who want to see why a group has no ids: it may have none here. */
export async function traceLexicon(
  lexicon: Pick<Lexicon, 'name' | 'sha256' | 'groups'>,
  tokenizer: TokenSource,
  { policy = 'first', capitalised = true, sharedIds = 'none' }: MapOptions = {},
): Promise<LexiconMapping> {
  const words = lexicon.groups.flatMap((group) => group.words);
  const tokens = await tokensOf([...new Set(words.flatMap((w) => surfaceForms(w, capitalised)))], tokenizer);
  const pieces = await piecesOf(tokens, tokenizer);
  const drafts = lexicon.groups.map((group) => ({
    name: group.name,
    words: group.words.map((word) => ({
      word,
      forms: surfaceForms(word, capitalised).map((form) => mapForm(form, tokens.get(form)!, pieces, policy)),
    })),
  }));
  const collisions = findCollisions(usesOf(drafts)).map((collision) => ({
    ...collision,
    piece: pieces.get(collision.id)!,
  }));
  const shared = new Set(sharedIds === 'none' ? collisions.map(({ id }) => id) : []);
  const groups = drafts.map(({ name, words }) => {
    const kept = words.map(({ word, forms }) => ({
      word,
      forms: forms.map((form) => withoutShared(form, shared)),
    }));
    const ids = new Set(kept.flatMap(({ forms }) => forms.flatMap(({ id }) => (id === null ? [] : [id]))));
    return { name, ids: Int32Array.from(ids).sort(), words: kept };
  });
  const { name, sha256 } = lexicon;
  return toMapping({ lexicon: { name, sha256 }, policy, capitalised, sharedIds }, groups, collisions);
}

/** Throws `lexicon_unmapped` when a group of words is left without any id. */
export function checkMapped({ lexicon, policy, groups }: LexiconMapping): void {
  for (const group of groups) if (group.ids.length === 0) throw unmapped(lexicon.name, group, policy);
}

/** A mapping of these parts, which knows how it is written. */
export function toMapping(
  head: MappingHead,
  groups: readonly MappedGroup<Int32Array>[],
  collisions: readonly Collision[],
): LexiconMapping {
  return {
    ...head,
    groups,
    collisions,
    toJSON: () => ({
      ...head,
      groups: groups.map((group) => ({ name: group.name, ids: [...group.ids], words: group.words })),
      collisions,
    }),
  };
}

/** w, " w", W, " W", each once. */
export function surfaceForms(word: string, capitalised: boolean): string[] {
  const upper = capitalise(word);
  return [...new Set([word, ` ${word}`, ...(capitalised ? [upper, ` ${upper}`] : [])])];
}

/** Ids of every form. Throws `out_of_range` for an id that the vocabulary does not have. */
async function tokensOf(forms: readonly string[], tokenizer: TokenSource): Promise<Map<string, number[]>> {
  const sequences = await tokenizer.tokenizeAll(forms, { bos: false });
  const tokens = new Map<string, number[]>();
  forms.forEach((form, index) => {
    const ids = [...sequences[index]!];
    const outside = ids.find((id) => id < 0 || id >= tokenizer.vocabSize);
    if (outside !== undefined) {
      throw new AuditError(
        'out_of_range',
        `the tokenizer gave id ${outside} for "${form}", outside its vocabulary of ${tokenizer.vocabSize}; the model file is damaged or the tokenizer belongs to another model`,
        { form, id: outside, vocabSize: tokenizer.vocabSize },
      );
    }
    tokens.set(form, ids);
  });
  return tokens;
}

type Pieces = ReadonlyMap<number, string>;

async function piecesOf(tokens: ReadonlyMap<string, number[]>, tokenizer: TokenSource): Promise<Pieces> {
  const ids = [...new Set([...tokens.values()].flat())];
  const pieces = await tokenizer.pieces(ids);
  return new Map(ids.map((id, index) => [id, pieces[index]!]));
}

function mapForm(
  form: string,
  tokens: readonly number[],
  known: Pieces,
  policy: MultiTokenPolicy,
): MappedForm {
  const pieces = tokens.map((id) => known.get(id)!);
  const dropped = dropReason(pieces, policy);
  const id = tokens[0];
  if (dropped !== null || id === undefined)
    return { form, tokens, pieces, id: null, dropped: dropped ?? 'empty' };
  return { form, tokens, pieces, id };
}

function dropReason(pieces: readonly string[], policy: MultiTokenPolicy): DropReason | null {
  const first = pieces[0];
  if (first === undefined) return 'empty';
  if (pieces.length > 1 && policy === 'skip') return 'multiple_tokens';
  if (first.trim() === '') return 'blank_piece';
  // A piece that is not whole UTF-8 can only be shown with the replacement character.
  if (first.includes('\uFFFD')) return 'partial_character';
  return null;
}

type DraftGroups = readonly { readonly name: string; readonly words: readonly MappedWord[] }[];

function* usesOf(groups: DraftGroups): Generator<Use> {
  for (const { name: group, words } of groups) {
    for (const { word, forms } of words) {
      for (const { form, id } of forms) if (id !== null) yield { id, group, form: { group, word, form } };
    }
  }
}

function withoutShared(form: MappedForm, shared: ReadonlySet<number>): MappedForm {
  return form.id !== null && shared.has(form.id) ? { ...form, id: null, dropped: 'collision' } : form;
}

function unmapped(
  lexicon: string,
  group: { name: string; words: readonly MappedWord[] },
  policy: LexiconMapping['policy'],
): AuditError {
  const reasons: Partial<Record<DropReason, number>> = {};
  for (const { dropped } of group.words.flatMap(({ forms }) => forms)) {
    if (dropped !== undefined) reasons[dropped] = (reasons[dropped] ?? 0) + 1;
  }
  const counts = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  const advice =
    policy === 'skip' && reasons.multiple_tokens
      ? 'use the policy "first", or add words that are one token of this model'
      : 'add words to the group that this tokenizer does not split at once';
  return new AuditError(
    'lexicon_unmapped',
    `no word of group "${group.name}" of lexicon ${lexicon} has a token id of its own under the policy "${policy}" (forms dropped: ${counts.join(', ')}); ${advice}`,
    { lexicon, group: group.name, policy, dropped: reasons },
  );
}
