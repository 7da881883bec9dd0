/**
 * What must hold between the entries of a lexicon: each word in one place only, and every pair made of two words
 * that their groups do list.
 */

import { formatPath, type ShapeFault } from '../catalog/index.ts';
import type { GroupedWord, LexiconPair, SwapRules } from './lexicon.ts';
import { groupNameProblem } from './names.ts';
import type { LexiconFile } from './schema.ts';
import { foldCase } from './word-list.ts';

type Path = (string | number)[];

/** The faults between entries of a file that has the right shape. */
export function checkRules(file: LexiconFile): ShapeFault[] {
  return [
    ...duplicateWords(file),
    ...unknownCased(file),
    ...pairFaults(file),
    ...swapFaults(file),
    ...controlFaults(file),
    ...duplicateOccupations(file),
  ];
}

/** The pairs of a file without faults, each side with its group. */
export function readPairs(file: LexiconFile): LexiconPair[] {
  return toPairs(file.pairs);
}

/** What the swap of free text knows beyond pairs, of a file without faults. */
export function readSwapRules({ swap }: LexiconFile): SwapRules | null {
  if (swap === undefined) return null;
  return {
    oneWay: swap.oneWay ?? [],
    endings: toPairs(swap.endings),
    otherwise: swap.otherwise ?? [],
    beforeNames: swap.beforeNames ?? [],
    fixed: swap.fixed ?? [],
    persons: swap.persons ?? [],
    personsOrWords: swap.personsOrWords ?? [],
    personsOrPlaces: swap.personsOrPlaces ?? [],
  };
}

function toPairs(pairs: readonly Record<string, string>[] | undefined): LexiconPair[] {
  return (pairs ?? []).map((pair) => {
    const { as, ...rest } = pair;
    const [first, second] = Object.entries(rest).map(([group, word]): GroupedWord => ({ group, word }));
    return { words: [first!, second!], as: as ?? null };
  });
}

function duplicateWords(file: LexiconFile): ShapeFault[] {
  const seen = new Map<string, Path>();
  const faults: ShapeFault[] = [];
  for (const [group, words] of Object.entries(file.groups)) {
    const problem = groupNameProblem(group);
    if (problem !== null) {
      faults.push({ path: ['groups', group], message: `groups.${group}: ${problem}` });
    }
    for (const [index, word] of words.entries()) {
      const path = ['groups', group, index];
      const first = seen.get(foldCase(word));
      if (first === undefined) {
        seen.set(foldCase(word), path);
        continue;
      }
      const same = first[1] === group;
      const why = same ? 'a word is listed once, case apart' : 'a word in two groups could count in neither';
      faults.push({
        path,
        message: `${formatPath(path)}: "${word}" is already ${formatPath(first)}; ${why}: remove one of the two`,
      });
    }
  }
  return faults;
}

function unknownCased(file: LexiconFile): ShapeFault[] {
  const words = new Set(Object.values(file.groups).flat());
  return (file.matchCase ?? []).flatMap((word, index) =>
    words.has(word)
      ? []
      : [
          {
            path: ['matchCase', index],
            message: `matchCase[${index}]: "${word}" is a word of no group; spell it as its group does`,
          },
        ],
  );
}

function pairFaults(file: LexiconFile): ShapeFault[] {
  const seen = new Map<string, number>();
  return (file.pairs ?? []).flatMap((pair, index) => {
    const path: Path = ['pairs', index];
    const { as, ...rest } = pair;
    const sides = Object.entries(rest);
    if (sides.length !== 2) {
      return [
        {
          path,
          message: `pairs[${index}] names ${sides.length} groups; give one word of each of two groups, and "as"`,
        },
      ];
    }
    for (const [group, word] of sides) {
      const words = Object.hasOwn(file.groups, group) ? file.groups[group] : undefined;
      if (words === undefined) {
        const known = Object.keys(file.groups).join(', ');
        return [
          {
            path: [...path, group],
            message: `pairs[${index}]: "${group}" is not a group; the groups are ${known}`,
          },
        ];
      }
      if (!words.includes(word)) {
        return [
          {
            path: [...path, group],
            message: `pairs[${index}].${group}: "${word}" is not in groups.${group}; add it there, or remove the pair`,
          },
        ];
      }
    }
    const key = JSON.stringify([as ?? null, ...sides.map(([group, word]) => `${group}:${word}`).sort()]);
    const first = seen.get(key);
    if (first !== undefined)
      return [{ path, message: `pairs[${index}] repeats pairs[${first}]; remove one of the two` }];
    seen.set(key, index);
    return [];
  });
}

/** Words that the swap is given rules for stand in a group, and ends of words name two. */
function swapFaults({ groups, swap }: LexiconFile): ShapeFault[] {
  const known = new Set(Object.values(groups).flat());
  const unknown = (path: Path, word: string): ShapeFault[] =>
    known.has(word)
      ? []
      : [
          {
            path,
            message: `${formatPath(path)}: "${word}" is a word of no group; spell it as its group does`,
          },
        ];
  const endings = (swap?.endings ?? []).flatMap((pair, index) => {
    const path = ['swap', 'endings', index];
    const names = Object.keys(pair);
    if (names.length === 2 && names.every((name) => Object.hasOwn(groups, name))) return [];
    return [
      {
        path,
        message: `${formatPath(path)} names ${names.join(', ')}; give an ending of each of two groups`,
      },
    ];
  });
  return [
    ...(swap?.oneWay ?? []).flatMap(({ word }, index) => unknown(['swap', 'oneWay', index, 'word'], word)),
    ...endings,
    ...(swap?.otherwise ?? []).flatMap((word, index) => unknown(['swap', 'otherwise', index], word)),
  ];
}

/** Control words are two of no group, and stand for words of two groups at least. */
function controlFaults({ groups, controls }: LexiconFile): ShapeFault[] {
  const groupOf = new Map(
    Object.entries(groups).flatMap(([group, words]) => words.map((word) => [foldCase(word), group] as const)),
  );
  const spelt = new Set(Object.values(groups).flat());
  return (controls ?? []).flatMap(({ words, for: stood }, index) => {
    const at = (path: Path, problem: string): ShapeFault[] => {
      const whole: Path = ['controls', index, ...path];
      return [{ path: whole, message: `${formatPath(whole)}${problem}` }];
    };
    const member = words.findIndex((word) => groupOf.has(foldCase(word)));
    if (member >= 0) {
      const word = words[member]!;
      return at(
        ['words', member],
        `: "${word}" is a word of groups.${groupOf.get(foldCase(word))}; give a word of no group`,
      );
    }
    if (foldCase(words[0]!) === foldCase(words[1]!)) return at(['words'], ' holds one word twice; give two');
    // As spelt: a run looks these words up as their groups spell them.
    const unknown = stood.findIndex((word) => !spelt.has(word));
    if (unknown >= 0)
      return at(['for', unknown], `: "${stood[unknown]}" is a word of no group; spell it as its group does`);
    if (new Set(stood.map((word) => groupOf.get(foldCase(word)))).size < 2)
      return at(
        ['for'],
        ' holds words of one group; give those of two groups, which are swapped for each other',
      );
    return [];
  });
}

function duplicateOccupations(file: LexiconFile): ShapeFault[] {
  const seen = new Map<string, number>();
  return (file.occupations ?? []).flatMap(({ word }, index) => {
    const first = seen.get(foldCase(word));
    if (first === undefined) {
      seen.set(foldCase(word), index);
      return [];
    }
    return [
      {
        path: ['occupations', index, 'word'],
        message: `occupations[${index}]: "${word}" is already occupations[${first}]; remove one of the two`,
      },
    ];
  });
}
