/** Which lexicons there are by name: the shipped ones and the user's own. */
import { type AuditError, toAuditError } from '../errors.ts';
import { loadLocation } from './load.ts';
import {
  type FolderOptions,
  type LexiconLocation,
  lexiconFiles,
  OWN_FOLDER,
  shippedLexicons,
} from './locate.ts';

export interface LexiconSummary {
  readonly sha256: string;
  readonly language: string;
  readonly description: string;
  /** With the number of words of each. */
  readonly groups: readonly { readonly name: string; readonly words: number }[];
  readonly pairs: number;
  readonly occupations: number;
}

export interface ListedLexicon {
  readonly name: string;
  readonly origin: 'shipped' | 'own';
  /** Is this an own lexicon that is used instead of a shipped one? That one is not listed then. */
  readonly overridesShipped: boolean;
  readonly file: string;
  /** What is in it; null for a file that is not right, and then `error` says why. */
  readonly summary: LexiconSummary | null;
  readonly error: AuditError | null;
}

export interface LexiconList {
  /** By name. */
  readonly lexicons: readonly ListedLexicon[];
  /** YAML and JSON files of the user's folder that go by no name: `my words.yaml`, `mine.yml`. */
  readonly nameless: readonly string[];
}

/**
 * The lexicons that go by name in the working folder, those with faults too. Throws `file_unreadable` for a folder that
 * cannot be looked into.
 */
export async function listLexicons({ folder = OWN_FOLDER }: FolderOptions = {}): Promise<LexiconList> {
  const shipped = await shippedLexicons();
  const { names: own, nameless } = await lexiconFiles.ownNames(folder);
  const lexicons = await Promise.all([
    ...shipped
      .filter((name) => !own.includes(name))
      .map((name) => listed(lexiconFiles.shippedLocation(name), false)),
    ...own.map((name) => listed(lexiconFiles.ownLocation(name, folder), shipped.includes(name))),
  ]);
  return { lexicons: lexicons.sort((a, b) => (a.name < b.name ? -1 : 1)), nameless };
}

async function listed(location: LexiconLocation, overridesShipped: boolean): Promise<ListedLexicon> {
  const origin = location.origin === 'own' ? 'own' : 'shipped';
  const entry = { name: location.name!, origin, overridesShipped, file: location.path } as const;
  try {
    const { sha256, language, description, groups, pairs, occupations } = await loadLocation(location);
    const summary = {
      sha256,
      language,
      description,
      groups: groups.map(({ name, words }) => ({ name, words: words.length })),
      pairs: pairs.length,
      occupations: occupations.length,
    };
    return { ...entry, summary, error: null };
  } catch (thrown) {
    return { ...entry, summary: null, error: toAuditError(thrown) };
  }
}
