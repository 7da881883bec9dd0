/** A lexicon looked over: every fault, and what is allowed but may not be meant. */

import type { PlacedFault } from '../catalog/index.ts';
import { AuditError } from '../errors.ts';
import type { Lexicon } from './lexicon.ts';
import { examineLocated } from './load.ts';
import { type FolderOptions, locateLexicon, readLocation, shippedLexicons } from './locate.ts';
import { findAllSpans } from './span.ts';
import { lexiconOfWordLists, parseGroupFiles } from './word-groups.ts';
import { foldCase } from './word-list.ts';

export interface LexiconReport {
  /** Null if there are faults. */
  readonly lexicon: Lexicon | null;
  readonly faults: readonly PlacedFault[];
  readonly warnings: readonly PlacedFault[];
}

/**
 * Looks a lexicon over; names, paths and word lists as for `loadLexicon`. What is wrong with it is in the report and
 * not thrown. Errors: `bad_argument`, `file_not_found`, `file_unreadable`.
 */
export async function validateLexicon(
  nameOrPath: string,
  options: FolderOptions = {},
): Promise<LexiconReport> {
  const sources = parseGroupFiles(nameOrPath);
  if (sources !== null) return await validateWordLists(sources, nameOrPath);
  const location = await locateLexicon(nameOrPath, options);
  const examined = examineLocated(location, await readLocation(location, options.folder));
  const { lexicon, faults } = examined;
  const place: Placer = (path, message) => ({
    file: location.shown,
    path,
    line: examined.lineOf(path),
    message,
  });
  const overrides = location.origin === 'own' && (await shippedLexicons()).includes(location.name!);
  const warnings = [
    ...examined.warnings,
    ...(overrides ? [place([], `is used instead of the shipped lexicon ${location.name}`)] : []),
    ...(lexicon === null ? [] : warningsOf(lexicon, place)),
  ];
  return { lexicon, faults, warnings };
}

async function validateWordLists(
  sources: readonly { name: string; file: string }[],
  shown: string,
): Promise<LexiconReport> {
  try {
    const { lexicon, warnings } = await lexiconOfWordLists(sources);
    const place: Placer = (path, message) => ({ file: shown, path, line: null, message });
    return { lexicon, faults: [], warnings: [...warnings, ...warningsOf(lexicon, place)] };
  } catch (thrown) {
    if (!(thrown instanceof AuditError) || thrown.code !== 'lexicon_invalid') throw thrown;
    return { lexicon: null, faults: thrown.data.faults as PlacedFault[], warnings: [] };
  }
}

type Placer = (path: readonly (string | number)[], message: string) => PlacedFault;

function warningsOf(lexicon: Lexicon, place: Placer): PlacedFault[] {
  return [
    ...oneGroup(lexicon, place),
    ...withoutPartner(lexicon, place),
    ...wordsInWords(lexicon, place),
    ...occupationsInGroups(lexicon, place),
    ...decomposed(lexicon, place),
  ];
}

function oneGroup({ groups }: Lexicon, place: Placer): PlacedFault[] {
  if (groups.length > 1) return [];
  return [place(['groups'], `groups has "${groups[0]!.name}" alone; suites that compare groups need two`)];
}

/** Words without a partner are reported one by one up to this many. */
const LISTED_ALONE = 5;

/** Without any pairs this is no oversight, but the swap has nothing to go by. */
function withoutPartner({ groups, pairs, swap }: Lexicon, place: Placer): PlacedFault[] {
  if (pairs.length === 0) {
    return groups.length < 2 ? [] : [place([], 'has no pairs, so its words cannot be swapped in texts')];
  }
  const paired = new Set(pairs.flatMap(({ words }) => words.map(({ group, word }) => `${group}:${word}`)));
  const oneWay = new Set(swap?.oneWay.map(({ word }) => word));
  return groups.flatMap(({ name, words }) => {
    const alone = words.flatMap((word, index) =>
      paired.has(`${name}:${word}`) || oneWay.has(word) ? [] : [{ word, index }],
    );
    if (alone.length > LISTED_ALONE) {
      const shown = alone.slice(0, LISTED_ALONE).map(({ word }) => `"${word}"`);
      const message = `groups.${name}: ${alone.length} words have no partner in pairs, such as ${shown.join(', ')}; a text that holds one is not swapped`;
      return [place(['groups', name], message)];
    }
    return alone.map(({ word, index }) =>
      place(['groups', name, index], `groups.${name}[${index}]: "${word}" has no partner in pairs`),
    );
  });
}

// What is not a letter to the finder of words: only a word with such a character can hold another one.
const INNER_EDGE = /[^\p{L}\p{M}\p{N}_]/u;

/** Of "first lady" and "lady" the longer one is found in a text; the shorter may be of another group. */
function wordsInWords({ groups }: Lexicon, place: Placer): PlacedFault[] {
  return groups.flatMap(({ name, words }) => {
    const others = { groups: groups.filter((group) => group.name !== name) };
    return words.flatMap((word, index) => {
      if (!INNER_EDGE.test(word)) return [];
      return findAllSpans(others, word).map((span) => {
        const message = `groups.${name}[${index}]: "${word}" holds "${span.word}" of groups.${span.group}; in a text the longer one counts`;
        return place(['groups', name, index], message);
      });
    });
  });
}

function occupationsInGroups({ groups, occupations }: Lexicon, place: Placer): PlacedFault[] {
  const owners = new Map(
    groups.flatMap(({ name, words }) => words.map((word) => [foldCase(word), name] as const)),
  );
  return occupations.flatMap(({ word }, index) => {
    const group = owners.get(foldCase(word));
    if (group === undefined) return [];
    const message = `occupations[${index}]: "${word}" is a word of groups.${group} too; what is measured of it says nothing of a model`;
    return [place(['occupations', index, 'word'], message)];
  });
}

/** Texts are compared as they are: a letter and its accent in two characters match no letter with an accent. */
function decomposed({ groups }: Lexicon, place: Placer): PlacedFault[] {
  return groups.flatMap(({ name, words }) =>
    words.flatMap((word, index) => {
      if (word === word.normalize('NFC')) return [];
      const message = `groups.${name}[${index}]: "${word}" is written with separate accents (it is not in Unicode's form NFC), and most texts are not`;
      return [place(['groups', name, index], message)];
    }),
  );
}
