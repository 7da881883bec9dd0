/**
 * Words to token ids. A word is tokenized in each of its surface forms (w, " w", and both capitalised); what came of
 * each form is kept, down to the pieces, because the mapping is written with every run and is the only way to see
 * what a group's mass is the mass of.
 *
 * A form of several tokens is represented by its first piece (policy `first`: the rule of the reference project), by it
 * only where it tells the word from others (`distinct`, the default), or not at all (`skip`, for those who want whole
 * words only). A first piece that is a bare space or a part of a character says nothing of the word and is dropped under
 * any policy. One that a word of another group begins with too falls under the rule for collisions: it counts in neither.
 */
import { AuditError } from '../errors.ts';
import { type Collision, findCollisions, type Use } from './collisions.ts';
import { commonWords } from './common-words.ts';
import type { Lexicon } from './lexicon.ts';
import { capitalise, foldCase } from './word-list.ts';

/** What the mapping needs of a tokenizer: each is asked once, for everything. Ids lie in [0, vocabSize). */
export interface TokenSource {
  readonly vocabSize: number;
  tokenizeAll(texts: readonly string[], options?: { bos?: boolean }): Promise<Int32Array[]>;
  pieces(tokens: ArrayLike<number>): Promise<string[]>;
}

export const MULTI_TOKEN_POLICIES = ['distinct', 'first', 'skip'] as const;
export type MultiTokenPolicy = (typeof MULTI_TOKEN_POLICIES)[number];
export const DEFAULT_POLICY: MultiTokenPolicy = 'distinct';

/**
 * Why a form gave no id: it is several tokens and the policy is `skip`; its id is in two groups; it has no tokens; its
 * (first) piece is nothing but space; its (first) piece is a part of a character; and under `distinct`, its first piece
 * begins a common word too (`sharedWith`), or is too short to tell the word from others.
 */
export type DropReason =
  | 'multiple_tokens'
  | 'collision'
  | 'empty'
  | 'blank_piece'
  | 'partial_character'
  | 'shared_beginning'
  | 'short_beginning';

export interface MappedForm {
  readonly form: string;
  readonly tokens: readonly number[];
  readonly pieces: readonly string[];
  readonly id: number | null;
  readonly dropped?: DropReason;
  /** With `shared_beginning`: a common word that begins with the same piece. */
  readonly sharedWith?: string;
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

/** The words of a lexicon as token ids of one model, and what was left out and why. */
export interface LexiconMapping extends Mapping<Int32Array> {
  /** JSON.stringify calls this: typed arrays would come out as objects. */
  toJSON(): LexiconMappingJson;
}

export interface MapOptions {
  /** What a form of several tokens counts as; `distinct` unless said. */
  readonly policy?: MultiTokenPolicy;
  /** Under `distinct`: words whose beginnings stand for no other word; default: those of the lexicon's language, if it is listed. */
  readonly commonWords?: readonly string[];
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
  lexicon: MappableLexicon,
  tokenizer: TokenSource,
  options: MapOptions = {},
): Promise<LexiconMapping> {
  const mapping = await traceLexicon(lexicon, tokenizer, options);
  checkMapped(mapping);
  return mapping;
}

/** What {@link mapLexicon} gives, for those who want to see why a group has no ids: it may have none here. */
export async function traceLexicon(
  lexicon: MappableLexicon,
  tokenizer: TokenSource,
  { policy = DEFAULT_POLICY, capitalised = true, sharedIds = 'none', ...more }: MapOptions = {},
): Promise<LexiconMapping> {
  const words = lexicon.groups.flatMap((group) => group.words);
  const common = policy === 'distinct' ? (more.commonWords ?? commonWords(lexicon.language)) : [];
  const forms = [...words, ...common].flatMap((word) => surfaceForms(word, capitalised));
  const tokens = await tokensOf([...new Set(forms)], tokenizer);
  const pieces = await piecesOf(tokens, tokenizer);
  const begun = wordsByBeginning(common, tokens, capitalised);
  const drafts = lexicon.groups.map((group) => {
    const own = new Set(group.words.map(foldCase));
    const sharedWith = (id: number) => begun.get(id)?.find((word) => !own.has(foldCase(word)));
    return {
      name: group.name,
      words: group.words.map((word) => ({
        word,
        forms: surfaceForms(word, capitalised)
          .map((form) => mapForm(form, tokens.get(form)!, pieces, policy))
          .map((form) => (policy === 'distinct' ? distinctForm(form, sharedWith) : form)),
      })),
    };
  });
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

/** What the mapping needs of a lexicon. */
type MappableLexicon = Pick<Lexicon, 'name' | 'sha256' | 'groups'> & Partial<Pick<Lexicon, 'language'>>;

/** Of each first token the common words that begin with it. */
function wordsByBeginning(
  common: readonly string[],
  tokens: ReadonlyMap<string, readonly number[]>,
  capitalised: boolean,
): ReadonlyMap<number, readonly string[]> {
  const begun = new Map<number, string[]>();
  for (const word of common) {
    for (const form of surfaceForms(word, capitalised)) {
      const id = tokens.get(form)![0];
      if (id === undefined) continue;
      const words = begun.get(id) ?? [];
      words.push(word);
      begun.set(id, words);
    }
  }
  return begun;
}

/** Fewest letters that a beginning tells a word by, in scripts that write sounds; of others a sign may be half a word. */
const LEAST_LETTERS = 3;
const SIGNS = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;

/** The form without its beginning, where that is a common word's too, or has less than half of the word's characters. */
function distinctForm(form: MappedForm, sharedWith: (id: number) => string | undefined): MappedForm {
  if (form.id === null || form.tokens.length === 1) return form;
  const word = sharedWith(form.id);
  if (word !== undefined) return { ...form, id: null, dropped: 'shared_beginning', sharedWith: word };
  const [beginning, whole] = [form.pieces[0]!, form.form].map((text) => [...text.trim()]);
  const least = SIGNS.test(form.form.trim()) ? 1 : LEAST_LETTERS;
  if (beginning!.length >= least && 2 * beginning!.length >= whole!.length) return form;
  return { ...form, id: null, dropped: 'short_beginning' };
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
  const left =
    (reasons.multiple_tokens ?? 0) + (reasons.shared_beginning ?? 0) + (reasons.short_beginning ?? 0);
  const advice =
    left > 0
      ? 'use the policy "first" to count beginnings of words, or add words that are one token of this model'
      : 'add words to the group that this tokenizer does not split at once';
  return new AuditError(
    'lexicon_unmapped',
    `no word of group "${group.name}" of lexicon ${lexicon} has a token id of its own under the policy "${policy}" (forms dropped: ${counts.join(', ')}); ${advice}`,
    { lexicon, group: group.name, policy, dropped: reasons },
  );
}
