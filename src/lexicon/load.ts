/** Lexicons by name, by path, or out of word lists. */
import { describeFault, type PlacedFault } from '../catalog/index.ts';
import { invalidLexicon } from './faults.ts';
import type { Lexicon } from './lexicon.ts';
import {
  type FolderOptions,
  type LexiconLocation,
  lexiconFiles,
  locateLexicon,
  readLocation,
} from './locate.ts';
import { type ExaminedLexicon, examineLexicon } from './parse.ts';
import { lexiconOfWordLists, parseGroupFiles } from './word-groups.ts';

export interface LoadOptions extends FolderOptions {
  /** Called with what was passed over: a word that a word list holds twice. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Loads a lexicon. A bare name (`gender-en`) is one of the user's own, `lexicons/gender-en.yaml` in the working folder,
 * or else a shipped one; `female=a.txt,male=b.txt` is made of word lists; anything else is a path to YAML or JSON.
 * Errors: `bad_argument`, `file_not_found`, `file_unreadable`, `lexicon_invalid`.
 */
export async function loadLexicon(nameOrPath: string, options: LoadOptions = {}): Promise<Lexicon> {
  const sources = parseGroupFiles(nameOrPath);
  if (sources !== null) {
    const { lexicon, warnings } = await lexiconOfWordLists(sources);
    for (const warning of warnings) options.onWarning?.(describeFault(warning, nameOrPath));
    return lexicon;
  }
  return await loadLocation(await locateLexicon(nameOrPath, options), options);
}

/** A lexicon that comes with the package, whatever the user's own are called. Errors: those of {@link loadLexicon}. */
export function loadShippedLexicon(name: string): Promise<Lexicon> {
  return loadLocation(lexiconFiles.shippedLocation(name));
}

export async function loadLocation(
  location: LexiconLocation,
  { folder }: FolderOptions = {},
): Promise<Lexicon> {
  const { lexicon, faults } = examineLocated(location, await readLocation(location, folder));
  if (lexicon === null) throw invalidLexicon(location.shown, faults);
  return lexicon;
}

/** What is in the file of a lexicon; one that goes by name must say the same name itself, since runs record that. */
export function examineLocated({ name, shown }: LexiconLocation, bytes: Uint8Array): ExaminedLexicon {
  const examined = examineLexicon(bytes, shown);
  const { lexicon, faults } = examined;
  if (lexicon === null || name === null || lexicon.name === name) return examined;
  const fault: PlacedFault = {
    file: shown,
    path: ['name'],
    line: examined.lineOf(['name']),
    message: `name is "${lexicon.name}", but the file is called ${name}.yaml; write name: ${name}, or rename the file`,
  };
  return { ...examined, lexicon: null, faults: [...faults, fault] };
}
